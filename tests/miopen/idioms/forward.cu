// helper: a convolution that adds to its result
#include <cudnn.h>

void forward(cudnnHandle_t h, cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t f, cudnnConvolutionDescriptor_t c, cudnnTensorDescriptor_t y, float *px, float *pf, float *py, float one, float other, void *space, size_t bytes)
{
    cudnnConvolutionForward(h, &one, x, px, f, pf, c, CUDNN_CONVOLUTION_FWD_ALGO_GEMM, space, bytes, &other, y, py);
}
