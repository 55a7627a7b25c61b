// name: cass_cg_coalesced
// provides: cass_cg_coalesced_group
// replaces:
// includes: hip/hip_cooperative_groups.h
// summary: A coalesced group made of the given hardware lanes; HIP lets only derived classes build one.
// source: HIP 6.4 amd_hip_cooperative_groups.h (protected constructor from a lane mask)
struct cass_cg_coalesced_group : cooperative_groups::coalesced_group {
    __device__ explicit cass_cg_coalesced_group(unsigned long long lanes)
        : cooperative_groups::coalesced_group(static_cast<lane_mask>(lanes)) {}
};
