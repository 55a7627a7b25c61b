// helper: the gradient of the data
#include <cudnn.h>

void backward_data(cudnnHandle_t h, cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t f, cudnnConvolutionDescriptor_t c, cudnnTensorDescriptor_t y, float *px, float *pf, float *py, float one, float other, void *space, size_t bytes)
{
    cudnnConvolutionBackwardData(h, &one, f, pf, y, py, c, CUDNN_CONVOLUTION_BWD_DATA_ALGO_1, space, bytes, &other, x, px);
}
