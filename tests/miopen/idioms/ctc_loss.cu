// exact: a CTC loss with its workspace
#include <cudnn.h>

void ctc_loss(cudnnHandle_t h, cudnnTensorDescriptor_t p, const float* probs, const int* labels, const int* ll, const int* il, float* costs, cudnnTensorDescriptor_t g, float* grads, void* ws) {
  cudnnCTCLossDescriptor_t d;
  cudnnCreateCTCLossDescriptor(&d);
  cudnnSetCTCLossDescriptor(d, CUDNN_DATA_FLOAT);
  size_t n = 0;
  cudnnGetCTCLossWorkspaceSize(h, p, g, labels, ll, il, CUDNN_CTC_LOSS_ALGO_DETERMINISTIC, d, &n);
  cudnnCTCLoss(h, p, probs, labels, ll, il, costs, g, grads, CUDNN_CTC_LOSS_ALGO_DETERMINISTIC, d, ws, n);
  cudnnDestroyCTCLossDescriptor(d);
}
