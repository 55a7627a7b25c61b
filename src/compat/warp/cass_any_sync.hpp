// name: cass_any_sync
// provides: cass_any_sync
// replaces: __any_sync
// requires: cass_ballot32
// summary: Whether the predicate holds in any lane of the mask, within the 32-lane logical warp.
// source: CUDA C++ Programming Guide 13.0, warp vote functions
__device__ inline int cass_any_sync(unsigned mask, int predicate)
{
    return (cass_ballot32(predicate) & mask) != 0;
}
