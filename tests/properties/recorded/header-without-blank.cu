#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include<THC/THC.h>
cudaStream_t stream() { return at::cuda::getCurrentCUDAStream(); }
