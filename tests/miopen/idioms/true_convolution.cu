// error: a true convolution, whose filter is flipped
#include <cudnn.h>

void true_convolution(cudnnConvolutionDescriptor_t c)
{
    cudnnSetConvolution2dDescriptor(c, 1, 1, 1, 1, 1, 1, CUDNN_CONVOLUTION, CUDNN_DATA_FLOAT);
}
