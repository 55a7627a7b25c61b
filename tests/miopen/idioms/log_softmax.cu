// helper: the logarithm of softmax and its gradient
#include <cudnn.h>

void log_softmax(cudnnHandle_t h, cudnnTensorDescriptor_t d, const float* x, float* y, const float* dy, float* dx) {
  float one = 1, zero = 0;
  cudnnSoftmaxForward(h, CUDNN_SOFTMAX_LOG, CUDNN_SOFTMAX_MODE_CHANNEL, &one, d, x, &zero, d, y);
  cudnnSoftmaxBackward(h, CUDNN_SOFTMAX_LOG, CUDNN_SOFTMAX_MODE_CHANNEL, &one, d, y, d, dy, &zero, d, dx);
}
