// helper: softmax and its gradient
#include <cudnn.h>

void softmax(cudnnHandle_t h, cudnnTensorDescriptor_t y, float *py, float one, float zero)
{
    cudnnSoftmaxForward(h, CUDNN_SOFTMAX_LOG, CUDNN_SOFTMAX_MODE_CHANNEL, &one, y, py, &zero, y, py);
    cudnnSoftmaxBackward(h, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_INSTANCE, &one, y, py, y, py, &zero, y, py);
}
