// name: cass_reduce_and_sync
// provides: cass_reduce_and_sync
// replaces: __reduce_and_sync
// requires: cass_warp_reduce
// summary: Bitwise and over the active lanes of the mask, within the 32-lane logical warp.
// source: CUDA C++ Programming Guide 13.0, warp reduce functions
__device__ inline unsigned cass_reduce_and_sync(unsigned mask, unsigned value)
{
    return cass_warp_reduce(mask, value, [](unsigned a, unsigned b) { return a & b; });
}
