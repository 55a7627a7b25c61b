// name: cass_stcs
// provides: cass_stcs
// replaces: __stcs
// requires: cass_streaming_access
// summary: Streaming store, not read again soon: a non-temporal store, for scalars, vectors and structs.
// source: CUDA C++ Programming Guide 13.0, load and store functions using cache hints
template <typename CassT, typename CassV>
__device__ inline void cass_stcs(CassT* address, CassV value)
{
    CassT converted = value;
    cass_streaming_store(address, converted);
}
