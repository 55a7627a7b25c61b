// helper: pooling and its gradient
#include <cudnn.h>

void pooling(cudnnHandle_t h, cudnnTensorDescriptor_t x, cudnnTensorDescriptor_t y, float *px, float *py, float one, float zero)
{
    cudnnPoolingDescriptor_t p;
    int n, c, oh, ow, window[3] = {2, 2, 2}, pads[3] = {0, 0, 0}, strides[3] = {2, 2, 2};
    cudnnCreatePoolingDescriptor(&p);
    cudnnSetPooling2dDescriptor(p, CUDNN_POOLING_MAX, CUDNN_NOT_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2);
    cudnnGetPooling2dForwardOutputDim(p, x, &n, &c, &oh, &ow);
    cudnnPoolingForward(h, p, &one, x, px, &zero, y, py);
    cudnnPoolingBackward(h, p, &one, y, py, y, py, x, px, &zero, x, px);
    cudnnSetPoolingNdDescriptor(p, CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING, CUDNN_PROPAGATE_NAN, 3, window, pads, strides);
    cudnnDestroyPoolingDescriptor(p);
}
