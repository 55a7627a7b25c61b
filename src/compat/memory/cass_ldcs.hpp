// name: cass_ldcs
// provides: cass_ldcs
// replaces: __ldcs
// requires: cass_streaming_access
// summary: Streaming load, likely used once: a non-temporal load, for scalars, vectors and structs.
// source: CUDA C++ Programming Guide 13.0, load and store functions using cache hints
template <typename CassT>
__device__ inline CassT cass_ldcs(const CassT* address)
{
    return cass_streaming_load(address);
}
