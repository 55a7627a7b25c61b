// helper: a filter of any number of directions
#include <cudnn.h>

void filter_nd(cudnnFilterDescriptor_t f)
{
    int dims[5] = {8, 3, 3, 3, 3};
    cudnnSetFilterNdDescriptor(f, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 5, dims);
}
