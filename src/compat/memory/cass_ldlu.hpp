// name: cass_ldlu
// provides: cass_ldlu
// replaces: __ldlu
// requires: cass_streaming_access
// summary: Load of a line that is used for the last time: a non-temporal load, which does not keep it.
// source: CUDA C++ Programming Guide 13.0, load and store functions using cache hints
template <typename CassT>
__device__ inline CassT cass_ldlu(const CassT* address)
{
    return cass_streaming_load(address);
}
