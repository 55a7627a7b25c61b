// name: cass_cg_mask
// provides: cass_cg_mask
// replaces:
// requires: cass_cg_lane, cass_wave_match
// includes: hip/hip_cooperative_groups.h
// summary: 64-bit mask of the hardware lanes of a tile or of a coalesced group whose members all call it.
// source: HIP 6.4 amd_hip_cooperative_groups.h; two lanes are in one coalesced group if they see the same first member
template <unsigned int Size, typename Parent>
__device__ inline unsigned long long cass_cg_mask(const cooperative_groups::thread_block_tile<Size, Parent>& tile)
{
    return (~0ull >> (64u - Size)) << cass_cg_lane(tile, 0);
}
__device__ inline unsigned long long cass_cg_mask(const cooperative_groups::coalesced_group& group)
{
    return cass_wave_match(__ballot(1), cass_cg_lane(group, 0));
}
