// error: a square root as an operation of tensors
#include <cudnn.h>

void op_sqrt(cudnnHandle_t h, cudnnOpTensorDescriptor_t o, cudnnTensorDescriptor_t t, const float* x, float* y) {
  float one = 1, zero = 0;
  cudnnSetOpTensorDescriptor(o, CUDNN_OP_TENSOR_SQRT, CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN);
  cudnnOpTensor(h, o, &one, t, x, &zero, t, x, &zero, t, y);
}
