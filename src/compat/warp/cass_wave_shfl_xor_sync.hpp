// name: cass_wave_shfl_xor_sync
// provides: cass_wave_shfl_xor_sync
// replaces:
// requires: cass_lane_read
// summary: Value of the lane whose number differs by `lane_mask`, in segments of `width` lanes or the whole wave.
// source: HIP documentation, warp cross-lane functions; CUDA C++ Programming Guide 13.0, warp shuffle functions
template <typename CassValue>
__device__ inline CassValue cass_wave_shfl_xor_sync(unsigned long long, __attribute__((maybe_undef)) CassValue value, int lane_mask, int width = warpSize)
{
    unsigned lane = __lane_id();
    unsigned last = lane | (static_cast<unsigned>(width) - 1u);
    unsigned other = lane ^ static_cast<unsigned>(lane_mask);
    return cass_lane_read(value, other <= last ? other : lane);
}
// nvidia:
template <typename CassValue>
__device__ inline CassValue cass_wave_shfl_xor_sync(unsigned mask, CassValue value, int lane_mask, int width = warpSize)
{
    return __shfl_xor_sync(mask, value, lane_mask, width);
}
