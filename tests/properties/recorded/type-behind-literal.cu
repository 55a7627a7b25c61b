#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>

__global__ void fill(__half *p, __nv_bfloat16 *q) {
  p[threadIdx.x] = __float2half(1.0f);
  q[threadIdx.x] = __float2bfloat16(1.0f);
}

int solve(cusolverDnHandle_t solver, cublasHandle_t blas, __half *p, __" \
 "nv_bfloat16 *q) {
  fill<<<1, 32>>>(p, q);
  return solver && cublasSetStream(blas, 0) == CUBLA