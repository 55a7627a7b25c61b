// name: cass_cg_pack
// provides: cass_cg_pack
// replaces:
// requires: cass_cg_lane, cass_cg_mask
// includes: hip/hip_cooperative_groups.h
// summary: Turns a 64-bit lane mask into the mask by rank that the vote members of a tile or coalesced group return.
// source: CUDA C++ Programming Guide 13.0, cooperative groups, thread_block_tile and coalesced_group (ballot, match_any); groups of up to 32 members, as in CUDA
template <unsigned int Size, typename Parent>
__device__ inline unsigned cass_cg_pack(const cooperative_groups::thread_block_tile<Size, Parent>& tile, unsigned long long lanes)
{
    return static_cast<unsigned>((lanes & cass_cg_mask(tile)) >> cass_cg_lane(tile, 0));
}
__device__ inline unsigned cass_cg_pack(const cooperative_groups::coalesced_group& group, unsigned long long lanes)
{
    unsigned packed = 0;
    for (unsigned rank = 0; rank < group.size() && rank < 32; ++rank)
        packed |= static_cast<unsigned>(lanes >> cass_cg_lane(group, rank) & 1) << rank;
    return packed;
}
