// error: divisive normalisation
#include <cudnn.h>

void divisive(cudnnHandle_t h, cudnnLRNDescriptor_t n, cudnnTensorDescriptor_t d, const float* x, const float* means, float* t, float* t2, float* y) {
  float one = 1, zero = 0;
  cudnnDivisiveNormalizationForward(h, n, CUDNN_DIVNORM_PRECOMPUTED_MEANS, &one, d, x, means, t, t2, &zero, d, y);
}
