// name: cass_lanemask_ge
// provides: cass_lanemask_ge
// replaces: %lanemask_ge
// requires: cass_lane_id32
// summary: 32-bit lane mask with the bits of the caller and the lanes after it, within the 32-lane logical warp.
// source: PTX ISA 8.7, special register %lanemask_ge
// nvidia: same
__device__ inline unsigned cass_lanemask_ge()
{
    unsigned lane = cass_lane_id32();
    return ~((1u << lane) - 1u);
}
