// exact: a tensor with strides
#include <cudnn.h>

void tensor_strides(cudnnTensorDescriptor_t t)
{
    cudnnSetTensor4dDescriptorEx(t, CUDNN_DATA_FLOAT, 1, 3, 8, 8, 400, 100, 10, 1);
}
