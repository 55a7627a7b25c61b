// exact: a tensor that is set and scaled
#include <cudnn.h>

void set_scale(cudnnHandle_t h, cudnnTensorDescriptor_t a, float* x) {
  float v = 2.f, s = 0.5f;
  cudnnSetTensor(h, a, x, &v);
  cudnnScaleTensor(h, a, x, &s);
}
