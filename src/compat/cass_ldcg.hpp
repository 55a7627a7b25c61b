// name: cass_ldcg
// provides: cass_ldcg
// replaces: __ldcg
// summary: Load meant for the L2 cache; an ordinary load, since the vector cache of a compute unit is write-through.
// source: CUDA C++ Programming Guide 13.0, load and store functions using cache hints; AMD GPU ISA (nt, sc and glc bits)
template <typename T>
__device__ inline T cass_ldcg(const T* address)
{
    return *address;
}
