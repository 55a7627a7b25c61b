"""Sums rows with a kernel that stands in this file."""
import torch
from torch.utils.cpp_extension import load_inline

HEADER = "torch::Tensor row_sum(torch::Tensor x);"

KERNELS = '''
#include <torch/extension.h>
#include <device_launch_parameters.h>
#include <c10/cuda/CUDAException.h>

template <typename T>
__global__ void row_sum_kernel(const T *x, T *y, int columns) {
    T sum = 0;
    for (int i = threadIdx.x; i < columns; i += 32) sum += x[blockIdx.x * columns + i];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

torch::Tensor row_sum(torch::Tensor x) {
    auto y = torch::empty({x.size(0)}, x.options());
    AT_DISPATCH_FLOATING_TYPES(x.type(), "row_sum", [&] {
        row_sum_kernel<scalar_t><<<x.size(0), 32>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), x.size(1));
    });
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
'''

ops = load_inline("row_sum", HEADER, KERNELS, functions=["row_sum"], extra_cuda_cflags=["-O3", "--use_fast_math", "-lineinfo"])
