#include <cuda_runtime.h>

#ifndef __CUDA_ARCH__
extern const uint3 threadIdx blockDim;
extern const uint3 threadIdx, blockIdx;
extern const dim3 gridDim, ours;
#endif
extern __device__ int ours_too;
