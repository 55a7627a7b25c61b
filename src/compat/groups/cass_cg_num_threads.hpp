// name: cass_cg_num_threads
// provides: cass_cg_num_threads
// replaces: .num_threads
// includes: hip/hip_cooperative_groups.h
// summary: Number of threads of any group: the newer CUDA spelling of size(), 64 bits wide for a whole grid.
// source: CUDA C++ Programming Guide 13.0, cooperative groups (num_threads is the preferred name of size)
// nvidia: same
template <typename CassGroup>
__device__ inline unsigned cass_cg_num_threads(const CassGroup& group)
{
    return static_cast<unsigned>(group.size());
}
__device__ inline unsigned long long cass_cg_num_threads(const cooperative_groups::grid_group&)
{
    unsigned long long blocks = static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
    return blocks * (blockDim.x * blockDim.y * blockDim.z);
}
