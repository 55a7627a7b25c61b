// name: cass_reduce_max_sync
// provides: cass_reduce_max_sync
// replaces: __reduce_max_sync
// requires: cass_warp_reduce
// summary: Maximum over the active lanes of the mask, within the 32-lane logical warp.
// source: CUDA C++ Programming Guide 13.0, warp reduce functions
__device__ inline unsigned cass_reduce_max_sync(unsigned mask, unsigned value)
{
    return cass_warp_reduce(mask, value, [](unsigned a, unsigned b) { return a < b ? b : a; });
}
__device__ inline int cass_reduce_max_sync(unsigned mask, int value)
{
    return cass_warp_reduce(mask, value, [](int a, int b) { return a < b ? b : a; });
}
