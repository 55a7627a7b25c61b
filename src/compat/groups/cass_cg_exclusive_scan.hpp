// name: cass_cg_exclusive_scan
// provides: cass_cg_exclusive_scan
// replaces: cooperative_groups::exclusive_scan
// requires: cass_cg_inclusive_scan, cass_cg_mask, cass_cg_operators, cass_lane_read
// includes: hip/hip_cooperative_groups.h
// summary: Combination of the values of all members before the caller; the first member gets a value-initialised T.
// source: CUDA C++ Programming Guide 13.0, cooperative groups, inclusive_scan and exclusive_scan
template <typename CassGroup, typename CassT, typename CassOp>
__device__ inline CassT cass_cg_exclusive_scan(const CassGroup& group, CassT value, CassOp op)
{
    CassT upto = cass_cg_inclusive_scan(group, value, op);
    unsigned long long before = cass_cg_mask(group) & ((1ull << __lane_id()) - 1);
    unsigned nearest = before == 0 ? __lane_id() : 63u - static_cast<unsigned>(__builtin_clzll(before));
    CassT result = cass_lane_read(upto, nearest);
    return before == 0 ? CassT() : result;
}
template <typename CassGroup, typename CassT>
__device__ inline CassT cass_cg_exclusive_scan(const CassGroup& group, CassT value)
{
    return cass_cg_exclusive_scan(group, value, cass_plus<CassT>());
}
// nvidia:
template <typename CassGroup, typename CassT, typename... CassOp>
__device__ inline CassT cass_cg_exclusive_scan(const CassGroup& group, CassT value, CassOp... op)
{
    return cooperative_groups::exclusive_scan(group, value, op...);
}
