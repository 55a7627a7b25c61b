// helper: a tensor of any number of directions, written and read
#include <cudnn.h>

void tensor_nd(cudnnTensorDescriptor_t t)
{
    int dims[5] = {1, 3, 4, 5, 6}, strides[5] = {360, 120, 30, 6, 1}, size;
    cudnnDataType_t type;
    cudnnSetTensorNdDescriptor(t, CUDNN_DATA_FLOAT, 5, dims, strides);
    cudnnSetTensorNdDescriptorEx(t, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 5, dims);
    cudnnGetTensorNdDescriptor(t, 5, &type, &size, dims, strides);
}
