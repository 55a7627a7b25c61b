// exact: a reduction that says where it found what
#include <cudnn.h>

void reduce_indices(cudnnHandle_t h, cudnnTensorDescriptor_t a, const float* x, cudnnTensorDescriptor_t c, float* y, void* idx, size_t ni, void* ws, size_t nw) {
  cudnnReduceTensorDescriptor_t r;
  float one = 1, zero = 0;
  cudnnCreateReduceTensorDescriptor(&r);
  cudnnSetReduceTensorDescriptor(r, CUDNN_REDUCE_TENSOR_MAX, CUDNN_DATA_FLOAT, CUDNN_PROPAGATE_NAN, CUDNN_REDUCE_TENSOR_FLATTENED_INDICES, CUDNN_32BIT_INDICES);
  cudnnGetReductionIndicesSize(h, r, a, c, &ni);
  cudnnGetReductionWorkspaceSize(h, r, a, c, &nw);
  cudnnReduceTensor(h, r, idx, ni, ws, nw, &one, a, x, &zero, c, y);
  cudnnDestroyReduceTensorDescriptor(r);
}
