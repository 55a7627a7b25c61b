// helper: an activation that is read and set again
#include <cudnn.h>

void activation_read(cudnnActivationDescriptor_t a) {
  cudnnActivationMode_t m; cudnnNanPropagation_t n; double c;
  cudnnSetActivationDescriptor(a, CUDNN_ACTIVATION_CLIPPED_RELU, CUDNN_NOT_PROPAGATE_NAN, 6.0);
  cudnnGetActivationDescriptor(a, &m, &n, &c);
  if (m == CUDNN_ACTIVATION_CLIPPED_RELU) cudnnSetActivationDescriptor(a, CUDNN_ACTIVATION_ELU, CUDNN_PROPAGATE_NAN, 1.0);
}
