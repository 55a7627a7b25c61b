// name: cass_cg_lane
// provides: cass_cg_lane
// replaces:
// includes: hip/hip_cooperative_groups.h
// summary: Hardware lane of the member of a tile or coalesced group that has the given rank.
// source: HIP 6.4 amd_hip_cooperative_groups.h (tiles are aligned runs of lanes)
template <unsigned int Size, typename Parent>
__device__ inline unsigned cass_cg_lane(const cooperative_groups::thread_block_tile<Size, Parent>&, unsigned rank)
{
    return (__lane_id() & ~(Size - 1u)) + rank;
}
__device__ inline unsigned cass_cg_lane(const cooperative_groups::coalesced_group& group, unsigned rank)
{
    return static_cast<unsigned>(group.shfl(static_cast<int>(__lane_id()), static_cast<int>(rank)));
}
