// helper: the gradient of the bias, added up
#include <cudnn.h>

void backward_bias(cudnnHandle_t h, cudnnTensorDescriptor_t y, cudnnTensorDescriptor_t b, float *py, float *pb, float one)
{
    cudnnConvolutionBackwardBias(h, &one, y, py, &one, b, pb);
}
