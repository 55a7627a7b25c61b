// helper: dropout with its states
#include <cuda_runtime.h>
#include <cudnn.h>

void dropout(cudnnHandle_t h, cudnnTensorDescriptor_t x, float *px, float *py)
{
    cudnnDropoutDescriptor_t d;
    size_t states, reserve;
    void *memory, *kept;
    cudnnCreateDropoutDescriptor(&d);
    cudnnDropoutGetStatesSize(h, &states);
    cudaMalloc(&memory, states);
    cudnnSetDropoutDescriptor(d, h, 0.5f, memory, states, 42ull);
    cudnnDropoutGetReserveSpaceSize(x, &reserve);
    cudaMalloc(&kept, reserve);
    cudnnDropoutForward(h, d, x, px, x, py, kept, reserve);
    cudnnDropoutBackward(h, d, x, py, x, px, kept, reserve);
    cudnnDestroyDropoutDescriptor(d);
}
