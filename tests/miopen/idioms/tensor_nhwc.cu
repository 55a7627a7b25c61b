// helper: a tensor with the channels last
#include <cudnn.h>

void tensor_nhwc(cudnnTensorDescriptor_t t)
{
    cudnnSetTensor4dDescriptor(t, CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT, 1, 3, 8, 8);
}
