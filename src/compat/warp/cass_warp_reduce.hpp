// name: cass_warp_reduce
// provides: cass_warp_reduce
// replaces:
// requires: cass_ballot32, cass_lane_read
// summary: Combines the values of the active lanes of the mask; each lane gets the result of the group its own mask names.
// source: CUDA C++ Programming Guide 13.0, warp reduce functions (groups with different masks may call together)
template <typename CassT, typename CassOp>
__device__ inline CassT cass_warp_reduce(unsigned mask, CassT value, CassOp op)
{
    unsigned lane = __lane_id();
    unsigned members = cass_ballot32(1) & mask;
    if (members == 0xffffffffu) {
        for (unsigned step = 16; step > 0; step >>= 1)
            value = op(value, cass_lane_read(value, lane ^ step));
        return value;
    }
    // Every lane takes part in every read: a lane that left the loop early could not be read.
    CassT result = value;
    bool started = false;
    for (unsigned i = 0; i < 32; ++i) {
        CassT other = cass_lane_read(value, (lane & 32u) + i);
        if (members >> i & 1u) {
            result = started ? op(result, other) : other;
            started = true;
        }
    }
    return result;
}
