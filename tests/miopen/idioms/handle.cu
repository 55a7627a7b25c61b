// exact: a handle on a stream
#include <cuda_runtime.h>
#include <cudnn.h>

void handle(cudaStream_t stream)
{
    cudnnHandle_t h;
    if (cudnnCreate(&h) != CUDNN_STATUS_SUCCESS) return;
    cudnnSetStream(h, stream);
    cudnnGetStream(h, &stream);
    cudnnDestroy(h);
}
