// helper: a search on the program's own buffers
#include <cudnn.h>

void algorithm_find_ex(cudnnHandle_t h, cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t f, cudnnConvolutionDescriptor_t c, cudnnTensorDescriptor_t y, float *px, float *pf, float *py, void *space, size_t bytes)
{
    int count;
    cudnnConvolutionFwdAlgoPerf_t fwd[4];
    cudnnConvolutionBwdFilterAlgoPerf_t filter[4];
    cudnnFindConvolutionForwardAlgorithmEx(h, x, px, f, pf, c, y, py, 4, &count, fwd, space, bytes);
    cudnnFindConvolutionBackwardFilterAlgorithmEx(h, x, px, y, py, c, f, pf, 4, &count, filter, space, bytes);
}
