// helper: the gradient of the filter, added up
#include <cudnn.h>

void backward_filter(cudnnHandle_t h, cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t f, cudnnConvolutionDescriptor_t c, cudnnTensorDescriptor_t y, float *px, float *pf, float *py, float one, float other, void *space, size_t bytes)
{
    cudnnConvolutionBackwardFilter(h, &one, x, px, y, py, c, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3, space, bytes, &one, f, pf);
}
