// exact: a convolution of three directions, in groups
#include <cudnn.h>

void convolution_nd(cudnnConvolutionDescriptor_t c)
{
    const int pads[3] = {1, 1, 1}, strides[3] = {1, 1, 1}, dilations[3] = {1, 1, 1};
    cudnnSetConvolutionNdDescriptor(c, 3, const_cast<int *>(pads), const_cast<int *>(strides), const_cast<int *>(dilations), CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
    int groups;
    cudnnSetConvolutionGroupCount(c, 2);
    cudnnGetConvolutionGroupCount(c, &groups);
}
