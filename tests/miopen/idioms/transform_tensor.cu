// exact: a tensor put into another format
#include <cudnn.h>

void transform_tensor(cudnnHandle_t h, cudnnTensorDescriptor_t a, const float* x, cudnnTensorDescriptor_t b, float* y) {
  const float one = 1.f, zero = 0.f;
  cudnnTransformTensor(h, &one, a, x, &zero, b, y);
}
