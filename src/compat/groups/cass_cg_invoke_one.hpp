// name: cass_cg_invoke_one
// provides: cass_cg_invoke_one
// replaces: cooperative_groups::invoke_one
// includes: hip/hip_cooperative_groups.h
// summary: Calls the function in the first member of the group only.
// source: CUDA C++ Programming Guide 13.0, cooperative groups, invoke_one (any one member may be chosen; the result is not returned here)
// nvidia: same
template <typename CassGroup, typename CassFunction, typename... CassArgs>
__device__ inline void cass_cg_invoke_one(const CassGroup& group, CassFunction&& function, CassArgs&&... args)
{
    if (group.thread_rank() == 0)
        function(static_cast<CassArgs&&>(args)...);
}
