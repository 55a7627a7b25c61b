// name: cass_cg_inclusive_scan
// provides: cass_cg_inclusive_scan
// replaces: cooperative_groups::inclusive_scan
// requires: cass_cg_lane, cass_cg_operators, cass_lane_read
// includes: hip/hip_cooperative_groups.h
// summary: Combination of the values of all members up to and with the caller, over a tile or a coalesced group.
// source: CUDA C++ Programming Guide 13.0, cooperative groups, inclusive_scan and exclusive_scan
template <typename Group, typename T, typename Op>
__device__ inline T cass_cg_inclusive_scan(const Group& group, T value, Op op)
{
    unsigned rank = group.thread_rank();
    for (unsigned step = 1; step < group.size(); step *= 2) {
        T before = cass_lane_read(value, cass_cg_lane(group, rank < step ? rank : rank - step));
        if (rank >= step)
            value = op(before, value);
    }
    return value;
}
template <typename Group, typename T>
__device__ inline T cass_cg_inclusive_scan(const Group& group, T value)
{
    return cass_cg_inclusive_scan(group, value, cass_plus<T>());
}
