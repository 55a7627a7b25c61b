// name: cass_lanemask_eq
// provides: cass_lanemask_eq
// replaces: %lanemask_eq
// requires: cass_lane_id32
// summary: 32-bit lane mask with only the caller's bit, within the 32-lane logical warp.
// source: PTX ISA 8.7, special register %lanemask_eq
// nvidia: same
__device__ inline unsigned cass_lanemask_eq()
{
    unsigned lane = cass_lane_id32();
    return 1u << lane;
}
