// name: cass_cg_dim_threads
// provides: cass_cg_dim_threads
// replaces: .dim_threads
// includes: hip/hip_cooperative_groups.h
// summary: Shape of a thread block in threads: the newer CUDA spelling of group_dim().
// source: CUDA C++ Programming Guide 13.0, cooperative groups, thread_block
// nvidia: same
__device__ inline dim3 cass_cg_dim_threads(const cooperative_groups::thread_block&)
{
    return dim3(blockDim.x, blockDim.y, blockDim.z);
}
