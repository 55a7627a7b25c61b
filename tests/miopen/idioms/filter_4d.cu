// exact: a filter of four directions
#include <cudnn.h>

void filter_4d()
{
    cudnnFilterDescriptor_t f;
    cudnnCreateFilterDescriptor(&f);
    cudnnSetFilter4dDescriptor(f, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 8, 3, 5, 5);
    cudnnDestroyFilterDescriptor(f);
}
