// name: cass_ballot_sync
// provides: cass_ballot_sync
// replaces: __ballot_sync
// requires: cass_ballot32
// summary: Ballot over the 32-lane logical warp of the caller, on wave64 and wave32 alike.
// source: CUDA C++ Programming Guide 13.0, warp vote functions; HIP 6.4 amd_warp_functions.h
__device__ inline unsigned cass_ballot_sync(unsigned mask, int predicate)
{
    return cass_ballot32(predicate) & mask;
}
