// exact: a convolution of two directions
#include <cudnn.h>

void convolution_2d()
{
    cudnnConvolutionDescriptor_t c;
    cudnnCreateConvolutionDescriptor(&c);
    cudnnSetConvolution2dDescriptor(c, 1, 1, 2, 2, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
    cudnnDestroyConvolutionDescriptor(c);
}
