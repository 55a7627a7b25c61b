// name: cass_cg_inclusive_scan
// provides: cass_cg_inclusive_scan
// replaces: cooperative_groups::inclusive_scan
// requires: cass_cg_mask, cass_cg_operators, cass_lane_read
// includes: hip/hip_cooperative_groups.h
// summary: Combination of the values of all members up to and with the caller, over a tile or a coalesced group.
// source: CUDA C++ Programming Guide 13.0, cooperative groups, inclusive_scan and exclusive_scan
template <unsigned int CassSize, typename CassParent, typename CassT, typename CassOp>
__device__ inline CassT cass_cg_inclusive_scan(const cooperative_groups::thread_block_tile<CassSize, CassParent>&, CassT value, CassOp op)
{
    unsigned lane = __lane_id(), rank = lane & (CassSize - 1u);
    for (unsigned step = 1; step < CassSize; step *= 2) {
        CassT before = cass_lane_read(value, rank < step ? lane : lane - step);
        if (rank >= step)
            value = op(before, value);
    }
    return value;
}
template <typename CassT, typename CassOp>
__device__ inline CassT cass_cg_inclusive_scan(const cooperative_groups::coalesced_group& group, CassT value, CassOp op)
{
    unsigned long long members = cass_cg_mask(group);
    CassT result = cass_lane_read(value, static_cast<unsigned>(__builtin_ctzll(members)));
    for (members &= members - 1; members != 0; members &= members - 1) {
        unsigned lane = static_cast<unsigned>(__builtin_ctzll(members));
        CassT next = cass_lane_read(value, lane);
        if (lane <= __lane_id())
            result = op(result, next);
    }
    return result;
}
template <typename CassGroup, typename CassT>
__device__ inline CassT cass_cg_inclusive_scan(const CassGroup& group, CassT value)
{
    return cass_cg_inclusive_scan(group, value, cass_plus<CassT>());
}
// nvidia:
#include <cooperative_groups/scan.h>
template <typename CassGroup, typename CassT, typename... CassOp>
__device__ inline CassT cass_cg_inclusive_scan(const CassGroup& group, CassT value, CassOp... op)
{
    return cooperative_groups::inclusive_scan(group, value, op...);
}
