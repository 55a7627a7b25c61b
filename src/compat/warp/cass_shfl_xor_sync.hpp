// name: cass_shfl_xor_sync
// provides: cass_shfl_xor_sync
// replaces: __shfl_xor_sync
// requires: cass_lane_read
// summary: Value of the lane whose number differs by `lane_mask`; a lane in a later segment is not read, the own value stays.
// source: CUDA C++ Programming Guide 13.0, warp shuffle functions; PTX ISA 8.7, shfl.sync.bfly (mask modulo 32)
template <typename CassT>
__device__ inline CassT cass_shfl_xor_sync(unsigned, __attribute__((maybe_undef)) CassT value, int lane_mask, int width = 32)
{
    unsigned lane = __lane_id();
    unsigned last = lane | (static_cast<unsigned>(width) - 1u);
    unsigned other = lane ^ (static_cast<unsigned>(lane_mask) & 31u);
    return cass_lane_read(value, other <= last ? other : lane);
}
