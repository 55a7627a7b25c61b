// name: cass_cg_coalesced_threads
// provides: cass_cg_coalesced_threads
// replaces: cooperative_groups::coalesced_threads
// requires: cass_cg_coalesced
// includes: hip/hip_cooperative_groups.h
// summary: Group of the active lanes of the caller's 32-lane logical warp; HIP's own takes all 64 of a wave64.
// source: CUDA C++ Programming Guide 13.0, cooperative groups, coalesced_group
__device__ inline cooperative_groups::coalesced_group cass_cg_coalesced_threads()
{
    return cass_cg_coalesced_group(__ballot(1) & 0xffffffffull << (__lane_id() & 32u));
}
// nvidia:
__device__ inline cooperative_groups::coalesced_group cass_cg_coalesced_threads()
{
    return cooperative_groups::coalesced_threads();
}
