#include <cuda_runtime.h>    __device__ void atomicAdd(float *x, float y) { *x += y; }
}e.h>
#include <cstdio>

#define CHECK(call) do { if ((call) != cudaSuccess) printf("failed\n"); } while (0)

__global__ void scale(float *x) { x[thread