// name: cass_ballot32
// provides: cass_ballot32
// replaces:
// summary: Ballot over the active lanes of the caller's 32-lane logical warp: its half of a wave64, or the whole wave32.
// source: HIP 6.4 amd_warp_functions.h (__ballot returns 64 bits, __lane_id counts to 63 on wave64)
__device__ inline unsigned cass_ballot32(int predicate)
{
    return static_cast<unsigned>(__ballot(predicate) >> (__lane_id() & 32u));
}
// nvidia:
__device__ inline unsigned cass_ballot32(int predicate)
{
    return __ballot_sync(__activemask(), predicate);
}
