// name: cass_shfl_sync
// provides: cass_shfl_sync
// replaces: __shfl_sync
// requires: cass_lane_read
// summary: Value of lane `source` modulo `width` in the caller's segment, any trivially copyable type, 32-lane logical warps.
// source: CUDA C++ Programming Guide 13.0, warp shuffle functions; PTX ISA 8.7, shfl.sync.idx
template <typename CassT>
__device__ inline CassT cass_shfl_sync(unsigned, __attribute__((maybe_undef)) CassT value, int source, int width = 32)
{
    unsigned last = static_cast<unsigned>(width) - 1u;
    return cass_lane_read(value, (__lane_id() & ~last) + (static_cast<unsigned>(source) & last));
}
