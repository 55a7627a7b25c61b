// name: cass_ldg
// provides: cass_ldg
// replaces: __ldg
// summary: Load through the read-only path in CUDA; AMD has one vector cache, so it is an ordinary load, here for every type.
// source: CUDA C++ Programming Guide 13.0, load and store functions using cache hints; AMD GPU ISA (nt, sc and glc bits)
template <typename CassT>
__device__ inline CassT cass_ldg(const CassT* address)
{
    return *address;
}
