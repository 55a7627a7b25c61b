// name: cass_cg_grid
// provides: cass_cg_block_rank, cass_cg_num_blocks, cass_cg_dim_blocks, cass_cg_block_index
// replaces: .block_rank, .num_blocks, .dim_blocks, .block_index
// includes: hip/hip_cooperative_groups.h
// summary: Members of grid_group that HIP lacks, as functions of the group: linear block index, number of blocks, grid shape.
// source: CUDA C++ Programming Guide 13.0, cooperative groups, grid_group
// nvidia: same
__device__ inline unsigned long long cass_cg_block_rank(const cooperative_groups::grid_group&)
{
    unsigned long long plane = static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y;
    return plane * gridDim.x + blockIdx.x;
}
__device__ inline unsigned long long cass_cg_num_blocks(const cooperative_groups::grid_group&)
{
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
}
__device__ inline dim3 cass_cg_dim_blocks(const cooperative_groups::grid_group&)
{
    return dim3(gridDim.x, gridDim.y, gridDim.z);
}
__device__ inline dim3 cass_cg_block_index(const cooperative_groups::grid_group&)
{
    return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
}
