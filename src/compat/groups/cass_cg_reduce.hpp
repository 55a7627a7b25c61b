// name: cass_cg_reduce
// provides: cass_cg_reduce
// replaces: cooperative_groups::reduce
// requires: cass_cg_mask, cass_lane_read
// includes: hip/hip_cooperative_groups.h
// summary: Combines a value over a tile (exchange tree) or a coalesced group (in order of rank); all members get the result.
// source: CUDA C++ Programming Guide 13.0, cooperative groups, reduce
template <unsigned int CassSize, typename CassParent, typename CassT, typename CassOp>
__device__ inline CassT cass_cg_reduce(const cooperative_groups::thread_block_tile<CassSize, CassParent>&, CassT value, CassOp op)
{
    for (unsigned step = CassSize / 2; step > 0; step /= 2)
        value = op(value, cass_lane_read(value, __lane_id() ^ step));
    return value;
}
template <typename CassT, typename CassOp>
__device__ inline CassT cass_cg_reduce(const cooperative_groups::coalesced_group& group, CassT value, CassOp op)
{
    unsigned long long members = cass_cg_mask(group);
    CassT result = cass_lane_read(value, static_cast<unsigned>(__builtin_ctzll(members)));
    for (members &= members - 1; members != 0; members &= members - 1)
        result = op(result, cass_lane_read(value, static_cast<unsigned>(__builtin_ctzll(members))));
    return result;
}
// nvidia:
#include <cooperative_groups/reduce.h>
template <typename CassGroup, typename CassT, typename CassOp>
__device__ inline CassT cass_cg_reduce(const CassGroup& group, CassT value, CassOp op)
{
    return cooperative_groups::reduce(group, value, op);
}
