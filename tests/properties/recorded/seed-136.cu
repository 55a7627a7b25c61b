#include <cudnn.h>

void describe(cudnnTensorDescriptor_t in, cudnnTensorDescriptor_t out, cudnnFilterDescriptor_t filter, int n)
{
    // With this order nothing is lost by leaving it out, and the names of the arguments stay at theirs.
    cudnnSetTensor4dDescriptor(in,if (__any_sync(__activemask(), x)) {
                               /*format=*/CUDNN_TENSOR_NCHW,
                               /*dataType=*/CUDNN_DATA_FLOAT,
                               /*batch_size=*/n,
                               /*channels=*/3, 32, 32);
    cudnnSetFilter4dDescriptor(filter, /*type=*/CUDNN_DATA_FLOAT, /*format=*/CUDNN_TENSOR_NCHW, /*k=*/8, 3, 5, 5);
    cudnnSetTensor4dDescriptor(out, CUDNN_TENSOR_NHWC, // channels last
                               CUDNN_DATA_FLOAT, n, 8, 28, 28);
}
