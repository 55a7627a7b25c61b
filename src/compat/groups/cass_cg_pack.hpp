// name: cass_cg_pack
// provides: cass_cg_pack
// replaces:
// requires: cass_cg_mask
// includes: hip/hip_cooperative_groups.h
// summary: Turns a 64-bit lane mask into the mask by rank that the vote members of a tile or coalesced group return.
// source: CUDA C++ Programming Guide 13.0, cooperative groups, thread_block_tile and coalesced_group (ballot, match_any); groups of up to 32 members, as in CUDA
template <unsigned int CassSize, typename CassParent>
__device__ inline unsigned cass_cg_pack(const cooperative_groups::thread_block_tile<CassSize, CassParent>& tile, unsigned long long lanes)
{
    return static_cast<unsigned>((lanes & cass_cg_mask(tile)) >> (__lane_id() & ~(CassSize - 1u)));
}
__device__ inline unsigned cass_cg_pack(const cooperative_groups::coalesced_group& group, unsigned long long lanes)
{
    unsigned packed = 0, bit = 1;
    for (unsigned long long members = cass_cg_mask(group); members != 0; members &= members - 1, bit <<= 1)
        if (lanes >> __builtin_ctzll(members) & 1)
            packed |= bit;
    return packed;
}
