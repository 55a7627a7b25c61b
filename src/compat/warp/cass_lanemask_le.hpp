// name: cass_lanemask_le
// provides: cass_lanemask_le
// replaces: %lanemask_le
// requires: cass_lane_id32
// summary: 32-bit lane mask with the bits of the caller and the lanes before it, within the 32-lane logical warp.
// source: PTX ISA 8.7, special register %lanemask_le
// nvidia: same
__device__ inline unsigned cass_lanemask_le()
{
    unsigned lane = cass_lane_id32();
    return (2u << lane) - 1u;
}
