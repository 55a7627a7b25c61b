// name: cass_lanemask_lt
// provides: cass_lanemask_lt
// replaces: %lanemask_lt
// requires: cass_lane_id32
// summary: 32-bit lane mask with the bits of the lanes before the caller, within the 32-lane logical warp.
// source: PTX ISA 8.7, special register %lanemask_lt
// nvidia: same
__device__ inline unsigned cass_lanemask_lt()
{
    unsigned lane = cass_lane_id32();
    return (1u << lane) - 1u;
}
