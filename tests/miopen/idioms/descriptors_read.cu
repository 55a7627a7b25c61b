// exact: descriptors that are read
#include <cudnn.h>

void descriptors_read(cudnnTensorDescriptor_t t, cudnnConvolutionDescriptor_t c) {
  cudnnDataType_t ty; int n, ch, hh, w, a, b, cc, d;
  cudnnGetTensor4dDescriptor(t, &ty, &n, &ch, &hh, &w, &a, &b, &cc, &d);
  int ph, pw, sh, sw, dh, dw; cudnnConvolutionMode_t m; cudnnDataType_t ct;
  cudnnGetConvolution2dDescriptor(c, &ph, &pw, &sh, &sw, &dh, &dw, &m, &ct);
}
