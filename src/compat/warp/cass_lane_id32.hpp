// name: cass_lane_id32
// provides: cass_lane_id32
// replaces: %laneid
// summary: Lane of the caller within its 32-lane logical warp, 0 to 31.
// source: HIP 6.4 amd_warp_functions.h (__lane_id)
__device__ inline unsigned cass_lane_id32()
{
    return __lane_id() & 31u;
}
// nvidia:
__device__ inline unsigned cass_lane_id32()
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
