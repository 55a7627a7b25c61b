// name: cass_warp_id
// provides: cass_warp_id
// replaces: %warpid
// summary: Number of the caller's 32-lane logical warp within its block, from the linear thread index.
// source: HIP kernel language (threads are packed into wavefronts with x running fastest)
// nvidia: same
__device__ inline unsigned cass_warp_id()
{
    unsigned row = threadIdx.z * blockDim.y + threadIdx.y;
    return (row * blockDim.x + threadIdx.x) >> 5;
}
