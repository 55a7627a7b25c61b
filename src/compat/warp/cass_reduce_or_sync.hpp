// name: cass_reduce_or_sync
// provides: cass_reduce_or_sync
// replaces: __reduce_or_sync
// requires: cass_warp_reduce
// summary: Bitwise or over the active lanes of the mask, within the 32-lane logical warp.
// source: CUDA C++ Programming Guide 13.0, warp reduce functions
__device__ inline unsigned cass_reduce_or_sync(unsigned mask, unsigned value)
{
    return cass_warp_reduce(mask, value, [](unsigned a, unsigned b) { return a | b; });
}
