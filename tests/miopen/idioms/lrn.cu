// helper: normalisation over channels and its gradient
#include <cudnn.h>

void lrn(cudnnHandle_t h, cudnnTensorDescriptor_t x, cudnnTensorDescriptor_t y, float *px, float *py, float one, float zero)
{
    cudnnLRNDescriptor_t l;
    cudnnCreateLRNDescriptor(&l);
    cudnnSetLRNDescriptor(l, 5, 1e-4, 0.75, 1.0);
    cudnnLRNCrossChannelForward(h, l, CUDNN_LRN_CROSS_CHANNEL_DIM1, &one, x, px, &zero, y, py);
    cudnnLRNCrossChannelBackward(h, l, CUDNN_LRN_CROSS_CHANNEL_DIM1, &one, y, py, y, py, x, px, &zero, x, px);
    cudnnDestroyLRNDescriptor(l);
}
