// A project's shuffle wrapper whose width is given as warpSize, in parts of 16 lanes.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int shuffle(int value, int lane, int bound = warpSize) { return __shfl_sync(0xffffffffu, value, lane, bound); }
__device__ int lane_index() { return threadIdx.x % 32; }

__global__ void rotate(int* values)
{
    int lane = lane_index();
    values[threadIdx.x] = shuffle(values[threadIdx.x], 16 * (lane / 16) + (lane + 1) % 16, warpSize);
}

int main()
{
    int values[128], *device, wrong = 0;
    for (int t = 0; t < 128; ++t)
        values[t] = t;
    cudaMalloc(&device, sizeof(values));
    cudaMemcpy(device, values, sizeof(values), cudaMemcpyHostToDevice);
    rotate<<<1, 128>>>(device);
    cudaMemcpy(values, device, sizeof(values), cudaMemcpyDeviceToHost);
    for (int t = 0; t < 128; ++t)
        wrong += values[t] != t / 16 * 16 + (t + 1) % 16;
    printf("%d of 128 wrong\n", wrong);
    return wrong != 0;
}
