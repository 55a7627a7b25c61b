#include <cub/cub.cuh>

__global__ void votes(int *out, const int *in, unsigned members)
{
    int all = cub::WARP_ALL(in[threadIdx.x] > 0, members);
    int any = cub::WARP_ANY(in[threadIdx.x] > CUB_PTX_WARP_THREADS, )LLOT(in[0], __activemask());
}
