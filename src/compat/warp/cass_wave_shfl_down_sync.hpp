// name: cass_wave_shfl_down_sync
// provides: cass_wave_shfl_down_sync
// replaces:
// requires: cass_lane_read
// summary: Value of the lane `delta` after the caller, in segments of `width` lanes or the whole wave.
// source: HIP documentation, warp cross-lane functions; CUDA C++ Programming Guide 13.0, warp shuffle functions
template <typename CassValue>
__device__ inline CassValue cass_wave_shfl_down_sync(unsigned long long, __attribute__((maybe_undef)) CassValue value, unsigned delta, int width = warpSize)
{
    unsigned lane = __lane_id();
    unsigned rank = lane & (static_cast<unsigned>(width) - 1u);
    return cass_lane_read(value, rank + delta < static_cast<unsigned>(width) ? lane + delta : lane);
}
// nvidia:
template <typename CassValue>
__device__ inline CassValue cass_wave_shfl_down_sync(unsigned mask, CassValue value, unsigned delta, int width = warpSize)
{
    return __shfl_down_sync(mask, value, delta, width);
}
