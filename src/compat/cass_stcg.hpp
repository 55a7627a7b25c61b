// name: cass_stcg
// provides: cass_stcg
// replaces: __stcg
// summary: Store meant for the L2 cache; an ordinary store, since the vector cache of a compute unit is write-through.
// source: CUDA C++ Programming Guide 13.0, load and store functions using cache hints; AMD GPU ISA (nt, sc and glc bits)
template <typename T, typename V>
__device__ inline void cass_stcg(T* address, V value)
{
    *address = value;
}
