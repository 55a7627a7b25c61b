// name: cass_cg_barrier
// provides: cass_cg_barrier_arrive, cass_cg_barrier_wait
// replaces: .barrier_arrive, .barrier_wait
// includes: hip/hip_cooperative_groups.h
// summary: The two halves of a barrier of a block or grid, group first. All of it is done by the wait, as CUDA does for a block.
// source: CUDA C++ Programming Guide 13.0, cooperative groups, barrier_arrive and barrier_wait
struct cass_cg_arrival {};
template <typename CassGroup>
__device__ inline cass_cg_arrival cass_cg_barrier_arrive(const CassGroup&)
{
    return cass_cg_arrival();
}
template <typename CassGroup>
__device__ inline void cass_cg_barrier_wait(const CassGroup& group, cass_cg_arrival&&)
{
    group.sync();
}
// nvidia:
template <typename CassGroup>
__device__ inline auto cass_cg_barrier_arrive(const CassGroup& group) -> decltype(group.barrier_arrive())
{
    return group.barrier_arrive();
}
template <typename CassGroup, typename CassArrival>
__device__ inline void cass_cg_barrier_wait(const CassGroup& group, CassArrival&& arrival)
{
    group.barrier_wait(static_cast<CassArrival&&>(arrival));
}
