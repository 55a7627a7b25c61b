// helper: what a filter is
#include <cudnn.h>

void filter_read(cudnnFilterDescriptor_t f)
{
    cudnnDataType_t type;
    cudnnTensorFormat_t format;
    int k, c, h, w, size, dims[5];
    cudnnGetFilter4dDescriptor(f, &type, &format, &k, &c, &h, &w);
    cudnnGetFilterNdDescriptor(f, 5, &type, &format, &size, dims);
}
