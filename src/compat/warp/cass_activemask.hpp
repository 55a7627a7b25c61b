// name: cass_activemask
// provides: cass_activemask
// replaces: __activemask
// requires: cass_ballot32
// summary: Lanes of the caller's 32-lane logical warp that are active here.
// source: HIP 6.4 amd_warp_functions.h (__ballot(1) is the exact execution mask)
__device__ inline unsigned cass_activemask()
{
    return cass_ballot32(1);
}
