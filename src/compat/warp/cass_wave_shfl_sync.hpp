// name: cass_wave_shfl_sync
// provides: cass_wave_shfl_sync
// replaces:
// requires: cass_lane_read
// summary: Value of lane `source` modulo `width` in the caller's segment, of the whole wave where no width is given.
// source: HIP documentation, warp cross-lane functions; CUDA C++ Programming Guide 13.0, warp shuffle functions
template <typename CassValue>
__device__ inline CassValue cass_wave_shfl_sync(unsigned long long, __attribute__((maybe_undef)) CassValue value, int source, int width = warpSize)
{
    unsigned last = static_cast<unsigned>(width) - 1u;
    return cass_lane_read(value, (__lane_id() & ~last) + (static_cast<unsigned>(source) & last));
}
// nvidia:
template <typename CassValue>
__device__ inline CassValue cass_wave_shfl_sync(unsigned mask, CassValue value, int source, int width = warpSize)
{
    return __shfl_sync(mask, value, source, width);
}
