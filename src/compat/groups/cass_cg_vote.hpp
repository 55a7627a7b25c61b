// name: cass_cg_vote
// provides: cass_cg_ballot, cass_cg_any, cass_cg_all, cass_cg_match_any, cass_cg_match_all
// replaces: .ballot, .any, .all, .match_any, .match_all
// requires: cass_cg_mask, cass_cg_pack, cass_wave_match
// includes: hip/hip_cooperative_groups.h
// summary: Votes and matches of a tile or coalesced group, group first: 32-bit masks by rank, as CUDA has them.
// source: CUDA C++ Programming Guide 13.0, cooperative groups, thread_block_tile and coalesced_group; HIP 6.4 has the members only with HIP_ENABLE_WARP_SYNC_BUILTINS
template <typename CassGroup>
__device__ inline unsigned cass_cg_ballot(const CassGroup& group, int predicate)
{
    return cass_cg_pack(group, __ballot(predicate));
}
template <typename CassGroup>
__device__ inline int cass_cg_any(const CassGroup& group, int predicate)
{
    return (__ballot(predicate) & cass_cg_mask(group)) != 0;
}
template <typename CassGroup>
__device__ inline int cass_cg_all(const CassGroup& group, int predicate)
{
    return (__ballot(!predicate) & cass_cg_mask(group)) == 0;
}
template <typename CassGroup, typename CassT>
__device__ inline unsigned cass_cg_match_any(const CassGroup& group, CassT value)
{
    return cass_cg_pack(group, cass_wave_match(cass_cg_mask(group), value));
}
template <typename CassGroup, typename CassT>
__device__ inline unsigned cass_cg_match_all(const CassGroup& group, CassT value, int& predicate)
{
    unsigned long long members = __ballot(1) & cass_cg_mask(group);
    predicate = cass_wave_match(members, value) == members;
    return predicate ? cass_cg_pack(group, members) : 0u;
}
// nvidia:
template <typename CassGroup>
__device__ inline unsigned cass_cg_ballot(const CassGroup& group, int predicate)
{
    return group.ballot(predicate);
}
template <typename CassGroup>
__device__ inline int cass_cg_any(const CassGroup& group, int predicate)
{
    return group.any(predicate);
}
template <typename CassGroup>
__device__ inline int cass_cg_all(const CassGroup& group, int predicate)
{
    return group.all(predicate);
}
template <typename CassGroup, typename CassT>
__device__ inline unsigned cass_cg_match_any(const CassGroup& group, CassT value)
{
    return group.match_any(value);
}
template <typename CassGroup, typename CassT>
__device__ inline unsigned cass_cg_match_all(const CassGroup& group, CassT value, int& predicate)
{
    return group.match_all(value, predicate);
}
