// name: cass_stcs
// provides: cass_stcs
// replaces: __stcs
// requires: cass_streaming_access
// summary: Streaming store, not read again soon: a non-temporal store, for scalars, vectors and structs.
// source: CUDA C++ Programming Guide 13.0, load and store functions using cache hints
template <typename T, typename V>
__device__ inline void cass_stcs(T* address, V value)
{
    T converted = value;
    cass_streaming_store(address, converted);
}
