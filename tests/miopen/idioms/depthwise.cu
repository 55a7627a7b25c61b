// exact: a convolution of each channel by itself
#include <cudnn.h>

void depthwise(cudnnConvolutionDescriptor_t c, cudnnFilterDescriptor_t w, int channels) {
  cudnnSetConvolution2dDescriptor(c, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
  cudnnSetConvolutionGroupCount(c, channels);
  cudnnSetFilter4dDescriptor(w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, channels, 1, 3, 3);
}
