// name: cass_cg_shfl
// provides: cass_cg_shfl, cass_cg_shfl_up, cass_cg_shfl_down, cass_cg_shfl_xor
// replaces: .shfl, .shfl_up, .shfl_down, .shfl_xor
// requires: cass_cg_mask, cass_lane_read
// includes: hip/hip_cooperative_groups.h
// summary: Values of other members of a tile or coalesced group, group first, for any trivially copyable type.
// source: CUDA C++ Programming Guide 13.0, cooperative groups, thread_block_tile and coalesced_group
template <unsigned int CassSize, typename CassParent>
__device__ inline unsigned cass_cg_lane(const cooperative_groups::thread_block_tile<CassSize, CassParent>&, unsigned rank)
{
    return (__lane_id() & ~(CassSize - 1u)) + rank;
}
__device__ inline unsigned cass_cg_lane(const cooperative_groups::coalesced_group& group, unsigned rank)
{
    unsigned long long members = cass_cg_mask(group);
    while (rank-- > 0)
        members &= members - 1;
    return static_cast<unsigned>(__builtin_ctzll(members));
}
template <typename CassGroup, typename CassT>
__device__ inline CassT cass_cg_shfl(const CassGroup& group, CassT value, int rank)
{
    return cass_lane_read(value, cass_cg_lane(group, static_cast<unsigned>(rank) % static_cast<unsigned>(group.size())));
}
template <typename CassGroup, typename CassT>
__device__ inline CassT cass_cg_shfl_up(const CassGroup& group, CassT value, unsigned delta)
{
    unsigned rank = group.thread_rank();
    return cass_lane_read(value, cass_cg_lane(group, rank < delta ? rank : rank - delta));
}
template <typename CassGroup, typename CassT>
__device__ inline CassT cass_cg_shfl_down(const CassGroup& group, CassT value, unsigned delta)
{
    unsigned rank = group.thread_rank(), size = static_cast<unsigned>(group.size());
    return cass_lane_read(value, cass_cg_lane(group, delta < size - rank ? rank + delta : rank));
}
template <typename CassGroup, typename CassT>
__device__ inline CassT cass_cg_shfl_xor(const CassGroup& group, CassT value, unsigned mask)
{
    unsigned rank = group.thread_rank(), size = static_cast<unsigned>(group.size());
    return cass_lane_read(value, cass_cg_lane(group, (rank ^ mask) < size ? rank ^ mask : rank));
}
// nvidia:
template <typename CassGroup, typename CassT>
__device__ inline CassT cass_cg_shfl(const CassGroup& group, CassT value, int rank)
{
    return group.shfl(value, rank);
}
template <typename CassGroup, typename CassT>
__device__ inline CassT cass_cg_shfl_up(const CassGroup& group, CassT value, unsigned delta)
{
    return group.shfl_up(value, static_cast<int>(delta));
}
template <typename CassGroup, typename CassT>
__device__ inline CassT cass_cg_shfl_down(const CassGroup& group, CassT value, unsigned delta)
{
    return group.shfl_down(value, static_cast<int>(delta));
}
template <typename CassGroup, typename CassT>
__device__ inline CassT cass_cg_shfl_xor(const CassGroup& group, CassT value, unsigned mask)
{
    return group.shfl_xor(value, mask);
}
