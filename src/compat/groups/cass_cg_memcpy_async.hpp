// name: cass_cg_memcpy_async
// provides: cass_cg_memcpy_async
// replaces: cooperative_groups::memcpy_async
// requires: cass_copy_bytes
// includes: hip/hip_cooperative_groups.h
// summary: The group copies at once, without a pipeline; the data is visible to the group after cass_cg_wait.
// source: CUDA C++ Programming Guide 13.0, cooperative groups, memcpy_async (byte form, and the form with element counts of both layouts)
// nvidia: same
template <typename CassGroup, typename CassT, typename CassSize>
__device__ inline void cass_cg_memcpy_async(const CassGroup& group, CassT* to, const CassT* from, const CassSize& bytes)
{
    cass_copy_bytes(to, from, static_cast<size_t>(bytes), group.thread_rank(), group.size());
}
template <typename CassGroup, typename CassT, typename CassToLayout, typename CassFromLayout>
__device__ inline void cass_cg_memcpy_async(const CassGroup& group, CassT* to, const CassToLayout& to_count, const CassT* from, const CassFromLayout& from_count)
{
    size_t room = static_cast<size_t>(to_count);
    size_t given = static_cast<size_t>(from_count);
    cass_copy_bytes(to, from, sizeof(CassT) * (given < room ? given : room), group.thread_rank(), group.size());
}
