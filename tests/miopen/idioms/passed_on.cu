// helper: functions that a template calls
#include <cudnn.h>

template <class F, class... A> void through(F f, A... a) { (void)f(a...); }

void passed_on(cudnnHandle_t h, cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t f, cudnnConvolutionDescriptor_t c, cudnnTensorDescriptor_t y, float *px, float *pf, float *py, float one, float other, void *space, size_t bytes)
{
    through(cudnnConvolutionForward, h, &one, x, px, f, pf, c, CUDNN_CONVOLUTION_FWD_ALGO_GEMM, space, bytes, &other, y, py);
    through(cudnnSoftmaxForward, h, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &one, y, py, &other, y, py);
    through(cudnnAddTensor, h, &one, y, py, &other, y, py);
}
