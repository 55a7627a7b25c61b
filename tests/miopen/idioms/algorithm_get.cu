// helper: an algorithm by preference and limit (cuDNN 7)
#include <cudnn.h>

void algorithm_get(cudnnHandle_t h, cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t f, cudnnConvolutionDescriptor_t c, cudnnTensorDescriptor_t y, size_t limit)
{
    cudnnConvolutionFwdAlgo_t fwd;
    cudnnConvolutionBwdDataAlgo_t data;
    cudnnConvolutionBwdFilterAlgo_t filter;
    cudnnGetConvolutionForwardAlgorithm(h, x, f, c, y, CUDNN_CONVOLUTION_FWD_SPECIFY_WORKSPACE_LIMIT, limit, &fwd);
    cudnnGetConvolutionBackwardDataAlgorithm(h, f, y, c, x, CUDNN_CONVOLUTION_BWD_DATA_PREFER_FASTEST, limit, &data);
    cudnnGetConvolutionBackwardFilterAlgorithm(h, x, y, c, f, CUDNN_CONVOLUTION_BWD_FILTER_NO_WORKSPACE, 0, &filter);
}
