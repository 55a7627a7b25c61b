// exact: a tensor of four directions
#include <cudnn.h>

void tensor_4d(int n)
{
    cudnnTensorDescriptor_t t;
    cudnnCreateTensorDescriptor(&t);
    cudnnSetTensor4dDescriptor(t, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, 3, 8, 8);
    cudnnDataType_t type;
    int c, h, w, ns, cs, hs, ws;
    cudnnGetTensor4dDescriptor(t, &type, &n, &c, &h, &w, &ns, &cs, &hs, &ws);
    cudnnDestroyTensorDescriptor(t);
}
