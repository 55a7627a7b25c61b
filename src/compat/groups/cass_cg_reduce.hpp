// name: cass_cg_reduce
// provides: cass_cg_reduce
// replaces: cooperative_groups::reduce
// requires: cass_cg_mask, cass_lane_read
// includes: hip/hip_cooperative_groups.h
// summary: Combines a value over a tile (exchange tree) or a coalesced group (in order of rank); all members get the result.
// source: CUDA C++ Programming Guide 13.0, cooperative groups, reduce
template <unsigned int Size, typename Parent, typename CassT, typename Op>
__device__ inline CassT cass_cg_reduce(const cooperative_groups::thread_block_tile<Size, Parent>&, CassT value, Op op)
{
    for (unsigned step = Size / 2; step > 0; step /= 2)
        value = op(value, cass_lane_read(value, __lane_id() ^ step));
    return value;
}
template <typename CassT, typename Op>
__device__ inline CassT cass_cg_reduce(const cooperative_groups::coalesced_group& group, CassT value, Op op)
{
    unsigned long long members = cass_cg_mask(group);
    CassT result = cass_lane_read(value, static_cast<unsigned>(__builtin_ctzll(members)));
    for (members &= members - 1; members != 0; members &= members - 1)
        result = op(result, cass_lane_read(value, static_cast<unsigned>(__builtin_ctzll(members))));
    return result;
}
// nvidia:
#include <cooperative_groups/reduce.h>
template <typename Group, typename CassT, typename Op>
__device__ inline CassT cass_cg_reduce(const Group& group, CassT value, Op op)
{
    return cooperative_groups::reduce(group, value, op);
}
