// helper: a bias of volumes
#include <cudnn.h>

void bias_nd(cudnnHandle_t h, const void* b, void* y, int n, int c, int hh, int w) {
  cudnnTensorDescriptor_t bd, yd; cudnnCreateTensorDescriptor(&bd); cudnnCreateTensorDescriptor(&yd);
  int dims[5] = {n, c, 1, hh, w}, strides[5] = {c*hh*w, hh*w, hh*w, w, 1};
  cudnnSetTensorNdDescriptor(yd, CUDNN_DATA_FLOAT, 5, dims, strides);
  cudnnSetTensor4dDescriptorEx(bd, CUDNN_DATA_FLOAT, 1, c, 1, 1, c, 1, 1, 1);
  float one = 1; cudnnAddTensor(h, &one, bd, b, &one, yd, y);
}
