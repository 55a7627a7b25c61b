// error: columns made of an image
#include <cudnn.h>

void im2col(cudnnHandle_t h, cudnnTensorDescriptor_t x, const float* p, cudnnFilterDescriptor_t w, cudnnConvolutionDescriptor_t c, void* buf) {
  cudnnIm2Col(h, x, p, w, c, buf);
}
