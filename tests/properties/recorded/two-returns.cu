#include <cuda_runtime.h>
__global__ void k(int *p) { p[0] = __ballot_sync(~0u, 1); }
