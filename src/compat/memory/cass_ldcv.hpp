// name: cass_ldcv
// provides: cass_ldcv
// replaces: __ldcv
// requires: cass_volatile_access
// summary: Load that must not trust a cached line: a volatile load, which goes past the caches of the chip.
// source: CUDA C++ Programming Guide 13.0, load and store functions using cache hints
template <typename CassT>
__device__ inline CassT cass_ldcv(const CassT* address)
{
    return cass_volatile_load(address);
}
