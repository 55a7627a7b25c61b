// A block of one warp, its size asked of the device, and a sum over 32 lanes.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sum(const int* values, int* total)
{
    int value = values[threadIdx.x];
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    if (threadIdx.x == 0)
        *total = value;
}

int main()
{
    int values[64], *device, size = 0, total = 0, expected = 0;
    cudaDeviceGetAttribute(&size, cudaDevAttrWarpSize, 0);
    for (int t = 0; t < size; ++t)
        expected += values[t] = t + 1;
    cudaMalloc(&device, 65 * sizeof(int));
    cudaMemcpy(device, values, size * sizeof(int), cudaMemcpyHostToDevice);
    sum<<<1, size>>>(device, device + 64);
    cudaMemcpy(&total, device + 64, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d, expected %d\n", total, expected);
    return total != expected;
}
