// name: cass_stwt
// provides: cass_stwt
// replaces: __stwt
// requires: cass_volatile_access
// summary: Store that writes through to memory: a volatile store, which goes past the caches of the chip.
// source: CUDA C++ Programming Guide 13.0, load and store functions using cache hints
template <typename CassT, typename CassV>
__device__ inline void cass_stwt(CassT* address, CassV value)
{
    CassT converted = value;
    cass_volatile_store(address, converted);
}
