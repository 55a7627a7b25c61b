// name: cass_reduce_add_sync
// provides: cass_reduce_add_sync
// replaces: __reduce_add_sync
// requires: cass_warp_reduce
// summary: Sum (modulo 2^32) over the active lanes of the mask, within the 32-lane logical warp.
// source: CUDA C++ Programming Guide 13.0, warp reduce functions
__device__ inline unsigned cass_reduce_add_sync(unsigned mask, unsigned value)
{
    return cass_warp_reduce(mask, value, [](unsigned a, unsigned b) { return a + b; });
}
__device__ inline int cass_reduce_add_sync(unsigned mask, int value)
{
    return static_cast<int>(cass_reduce_add_sync(mask, static_cast<unsigned>(value)));
}
