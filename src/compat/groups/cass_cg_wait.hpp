// name: cass_cg_wait
// provides: cass_cg_wait, cass_cg_wait_prior
// replaces: cooperative_groups::wait, cooperative_groups::wait_prior
// includes: hip/hip_cooperative_groups.h
// summary: Makes the copies of all members visible to the group. Copies are synchronous here, so it is a group barrier.
// source: CUDA C++ Programming Guide 13.0, cooperative groups, wait and wait_prior
// nvidia: same
template <typename CassGroup>
__device__ inline void cass_cg_wait(const CassGroup& group)
{
    group.sync();
}
template <unsigned int CassStage, typename CassGroup>
__device__ inline void cass_cg_wait_prior(const CassGroup& group)
{
    group.sync();
}
