// name: cass_shfl_up_sync
// provides: cass_shfl_up_sync
// replaces: __shfl_up_sync
// requires: cass_lane_read
// summary: Value of the lane `delta` before the caller; lanes with no such lane in their segment keep their own value.
// source: CUDA C++ Programming Guide 13.0, warp shuffle functions; PTX ISA 8.7, shfl.sync.up (distance modulo 32)
template <typename CassT>
__device__ inline CassT cass_shfl_up_sync(unsigned, __attribute__((maybe_undef)) CassT value, unsigned delta, int width = 32)
{
    unsigned lane = __lane_id();
    unsigned rank = lane & (static_cast<unsigned>(width) - 1u);
    delta &= 31u;
    return cass_lane_read(value, rank < delta ? lane : lane - delta);
}
