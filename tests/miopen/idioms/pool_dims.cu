// exact: the shape of a pooling's result
#include <cudnn.h>

void pool_dims(cudnnPoolingDescriptor_t p, cudnnTensorDescriptor_t x) {
  int n, c, h, w, out[4];
  cudnnSetPooling2dDescriptor(p, CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING, CUDNN_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2);
  cudnnGetPooling2dForwardOutputDim(p, x, &n, &c, &h, &w);
  cudnnGetPoolingNdForwardOutputDim(p, x, 4, out);
}
