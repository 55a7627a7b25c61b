// name: cass_cg_partition
// provides: cass_cg_labeled_partition, cass_cg_binary_partition
// replaces: cooperative_groups::labeled_partition, cooperative_groups::binary_partition
// requires: cass_cg_coalesced, cass_cg_mask, cass_wave_match
// includes: hip/hip_cooperative_groups.h
// summary: Splits a tile or coalesced group into one coalesced group for each label. meta_group_rank() of the parts stays 0.
// source: CUDA C++ Programming Guide 13.0, cooperative groups, labeled_partition and binary_partition
template <typename CassGroup, typename CassLabel>
__device__ inline cooperative_groups::coalesced_group cass_cg_labeled_partition(const CassGroup& group, CassLabel label)
{
    return cass_cg_coalesced_group(cass_wave_match(cass_cg_mask(group), label));
}
template <typename CassGroup>
__device__ inline cooperative_groups::coalesced_group cass_cg_binary_partition(const CassGroup& group, bool predicate)
{
    return cass_cg_labeled_partition(group, static_cast<int>(predicate));
}
// nvidia:
template <typename CassGroup, typename CassLabel>
__device__ inline cooperative_groups::coalesced_group cass_cg_labeled_partition(const CassGroup& group, CassLabel label)
{
    return cooperative_groups::labeled_partition(group, label);
}
template <typename CassGroup>
__device__ inline cooperative_groups::coalesced_group cass_cg_binary_partition(const CassGroup& group, bool predicate)
{
    return cooperative_groups::binary_partition(group, predicate);
}
