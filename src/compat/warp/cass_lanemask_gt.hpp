// name: cass_lanemask_gt
// provides: cass_lanemask_gt
// replaces: %lanemask_gt
// requires: cass_lane_id32
// summary: 32-bit lane mask with the bits of the lanes after the caller, within the 32-lane logical warp.
// source: PTX ISA 8.7, special register %lanemask_gt
// nvidia: same
__device__ inline unsigned cass_lanemask_gt()
{
    unsigned lane = cass_lane_id32();
    return ~((2u << lane) - 1u);
}
