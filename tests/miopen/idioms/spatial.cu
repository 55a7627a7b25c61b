// helper: a spatial transformer
#include <cudnn.h>

void spatial(cudnnHandle_t h, cudnnTensorDescriptor_t xd, const float* x, const float* theta, float* grid, cudnnTensorDescriptor_t yd, float* y) {
  cudnnSpatialTransformerDescriptor_t st;
  int dims[4] = {1, 1, 4, 4};
  float one = 1, zero = 0;
  cudnnCreateSpatialTransformerDescriptor(&st);
  cudnnSetSpatialTransformerNdDescriptor(st, CUDNN_SAMPLER_BILINEAR, CUDNN_DATA_FLOAT, 4, dims);
  cudnnSpatialTfGridGeneratorForward(h, st, theta, grid);
  cudnnSpatialTfSamplerForward(h, st, &one, xd, x, grid, &zero, yd, y);
  cudnnDestroySpatialTransformerDescriptor(st);
}
