// helper: the shape of a convolution's result
#include <cudnn.h>

void output_dim(cudnnConvolutionDescriptor_t c, cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t f)
{
    int n, k, h, w, dims[5];
    cudnnGetConvolution2dForwardOutputDim(c, x, f, &n, &k, &h, &w);
    cudnnGetConvolutionNdForwardOutputDim(c, x, f, 5, dims);
}
