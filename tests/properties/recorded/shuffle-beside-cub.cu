#include <cub/cub.cuh>

__global__ void k(int *p) { p[0] = __shfl_down_sync(0xffffffff, p[1], 16); }
