// name: cass_uni_sync
// provides: cass_uni_sync
// replaces: __uni_sync
// requires: cass_ballot32
// summary: Whether the predicate has the same truth value in all active lanes of the mask, within the 32-lane logical warp.
// source: PTX ISA 8.7, vote.sync.uni
__device__ inline int cass_uni_sync(unsigned mask, int predicate)
{
    unsigned ayes = cass_ballot32(predicate) & mask;
    unsigned noes = cass_ballot32(!predicate) & mask;
    return ayes == 0 || noes == 0;
}
