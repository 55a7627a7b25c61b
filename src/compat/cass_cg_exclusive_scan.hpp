// name: cass_cg_exclusive_scan
// provides: cass_cg_exclusive_scan
// replaces: cooperative_groups::exclusive_scan
// requires: cass_cg_inclusive_scan, cass_cg_lane, cass_cg_operators, cass_lane_read
// includes: hip/hip_cooperative_groups.h
// summary: Combination of the values of all members before the caller; the first member gets a value-initialised T.
// source: CUDA C++ Programming Guide 13.0, cooperative groups, inclusive_scan and exclusive_scan
template <typename Group, typename T, typename Op>
__device__ inline T cass_cg_exclusive_scan(const Group& group, T value, Op op)
{
    unsigned rank = group.thread_rank();
    T upto = cass_cg_inclusive_scan(group, value, op);
    T before = cass_lane_read(upto, cass_cg_lane(group, rank == 0 ? 0 : rank - 1));
    return rank == 0 ? T() : before;
}
template <typename Group, typename T>
__device__ inline T cass_cg_exclusive_scan(const Group& group, T value)
{
    return cass_cg_exclusive_scan(group, value, cass_plus<T>());
}
