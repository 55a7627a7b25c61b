#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>

#include "warp.cuh"

#if defined(WITH_CUDA) && CUDART_VERSION >= 11000

template <typename scalar_t>
__global__ void row_sums_kernel(const scalar_t *__restrict__ x, float *__restrict__ sums, int columns) {
  extern __shared__ float parts[];
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += blockDim.x)
    sum += __fadd_rz(static_cast<float>(x[blockIdx.x * columns + column]), 0.0f);
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0)
    parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int part = 1; part < blockDim.x / 32; ++part)
      sum += parts[part];
    sums[blockIdx.x] = sum;
  }
}

__global__ void mixed_kernel(unsigned *x, int size) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= size)
    return;
  unsigned ones = __ballot_sync(__activemask(), x[at] & 1u);
  Pair pair = __shfl_xor_sync(FULL_MASK, Pair{1.0f, 2.0f}, 1);
  nv_bfloat162 packed = pack(pair.first, pair.second);
  __syncwarp();
  x[at] = majority(x[at], __popc(ones), __any_sync(FULL_MASK, __low2float(packed) > 1.0f));
}

at::Tensor row_sums(at::Tensor x) {
  const at::cuda::OptionalCUDAGuard guard(x.device());
  auto sums = at::empty({x.size(0)}, x.options().dtype(at::kFloat));
  auto stream = at::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "row_sums", ([&] {
    cudaFuncSetAttribute(row_sums_kernel<scalar_t>, cudaFuncAttributeMaxDynamicSharedMemorySize, 4096);
    row_sums_kernel<scalar_t><<<x.size(0), 256, 1024, stream>>>(x.data_ptr<scalar_t>(), sums.data_ptr<float>(), x.size(1));
  }));
  return sums;
}

at::Tensor mixed(at::Tensor x) {
  int size = x.numel();
  mixed_kernel<< <(size + 255) / 256, 256>> >(reinterpret_cast<unsigned *>(x.data_ptr<int>()), size);
  AT_CUDA_CHECK(cudaGetLastError());
  return x;
}

#endif
