// name: cass_all_sync
// provides: cass_all_sync
// replaces: __all_sync
// requires: cass_ballot32
// summary: Whether the predicate holds in every active lane of the mask, within the 32-lane logical warp.
// source: CUDA C++ Programming Guide 13.0, warp vote functions
__device__ inline int cass_all_sync(unsigned mask, int predicate)
{
    return (cass_ballot32(!predicate) & mask) == 0;
}
