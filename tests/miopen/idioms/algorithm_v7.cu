// helper: a list of algorithms without a search
#include <cudnn.h>

void algorithm_v7(cudnnHandle_t h, cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t f, cudnnConvolutionDescriptor_t c, cudnnTensorDescriptor_t y)
{
    cudnnConvolutionFwdAlgoPerf_t perf[CUDNN_CONVOLUTION_FWD_ALGO_COUNT];
    int most, count;
    cudnnGetConvolutionForwardAlgorithmMaxCount(h, &most);
    cudnnGetConvolutionForwardAlgorithm_v7(h, x, f, c, y, most, &count, perf);
    for (int i = 0; i < count; ++i)
        if (perf[i].status == CUDNN_STATUS_SUCCESS && perf[i].memory < 1024 && perf[i].determinism == CUDNN_DETERMINISTIC)
            cudnnSetConvolutionMathType(c, perf[i].mathType);
}
