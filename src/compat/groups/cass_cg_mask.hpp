// name: cass_cg_mask
// provides: cass_cg_mask
// replaces:
// requires: cass_wave_match
// includes: hip/hip_cooperative_groups.h
// summary: 64-bit mask of the hardware lanes of a tile, or of a coalesced group whose members all call it.
// source: HIP 6.4 amd_hip_cooperative_groups.h (tiles are aligned runs of lanes; members of a group share their first member)
template <unsigned int CassSize, typename CassParent>
__device__ inline unsigned long long cass_cg_mask(const cooperative_groups::thread_block_tile<CassSize, CassParent>&)
{
    return (~0ull >> (64u - CassSize)) << (__lane_id() & ~(CassSize - 1u));
}
__device__ inline unsigned long long cass_cg_mask(const cooperative_groups::coalesced_group& group)
{
    return cass_wave_match(__ballot(1), group.shfl(static_cast<int>(__lane_id()), 0));
}
