// helper: a search for algorithms
#include <cudnn.h>

void algorithm_find(cudnnHandle_t h, cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t f, cudnnConvolutionDescriptor_t c, cudnnTensorDescriptor_t y)
{
    int count;
    cudnnConvolutionFwdAlgoPerf_t fwd[4];
    cudnnConvolutionBwdDataAlgoPerf_t data[4];
    cudnnConvolutionBwdFilterAlgoPerf_t filter[4];
    cudnnFindConvolutionForwardAlgorithm(h, x, f, c, y, 4, &count, fwd);
    cudnnFindConvolutionBackwardDataAlgorithm(h, f, y, c, x, 4, &count, data);
    cudnnFindConvolutionBackwardFilterAlgorithm(h, x, y, c, f, 4, &count, filter);
    cudnnConvolutionFwdAlgo_t chosen = fwd[0].algo;
    (void)chosen;
}
