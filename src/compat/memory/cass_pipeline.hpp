// name: cass_pipeline
// provides: cass_pipeline_memcpy_async, cass_pipeline_commit, cass_pipeline_wait_prior
// replaces: __pipeline_memcpy_async, __pipeline_commit, __pipeline_wait_prior
// requires: cass_copy_bytes
// summary: Pipeline primitives as an ordinary copy by the calling thread, which is done when the call returns.
// source: CUDA C++ Programming Guide 13.0, pipeline primitives interface (zfill: the last bytes are zero, not copied)
__device__ inline void cass_pipeline_memcpy_async(void* to, const void* from, size_t size, size_t zfill = 0)
{
    cass_copy_bytes(to, from, size - zfill, 0, 1);
    for (size_t i = size - zfill; i < size; ++i)
        static_cast<unsigned char*>(to)[i] = 0;
}
__device__ inline void cass_pipeline_commit() {}
__device__ inline void cass_pipeline_wait_prior(size_t) {}
