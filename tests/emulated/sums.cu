// Sums of rows in the styles of linear algebra libraries: a volatile tail in shared memory, parts that warps leave there for the first
// of them, and a reduction of 16 lanes that share a warp with others.
#include <cstdio>
#include <cuda_runtime.h>

__device__ void tail(volatile int* s, int lane)
{
    if (lane < 16)
        for (int distance = 16; distance > 0; distance >>= 1) {
            int other = s[lane + distance];
            __syncwarp(0xffffu);
            s[lane] += other;
            __syncwarp(0xffffu);
        }
}

template <int threads> __device__ int block_sum(int value)
{
    __shared__ int parts[threads / 32];
    for (int distance = warpSize / 2; distance > 0; distance >>= 1)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    if (threadIdx.x % warpSize == 0)
        parts[threadIdx.x / warpSize] = value;
    __syncthreads();
    value = threadIdx.x < threads / warpSize ? parts[threadIdx.x] : 0;
    if (threadIdx.x < warpSize)
        for (int distance = threads / 32 / 2; distance > 0; distance >>= 1)
            value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

__global__ void sum(const int* values, int count, int* results)
{
    __shared__ volatile int s[256 + 16];
    int thread = threadIdx.x, value = 0, lane = thread & 31;
    for (int k = thread; k < count; k += blockDim.x)
        value += values[blockIdx.x * count + k];
    s[thread] = value;
    __syncthreads();
    tail(s + (thread & ~31), lane);
    __syncthreads();
    int first = 0;
    for (int warp = 0; warp < 8; ++warp)
        first += s[32 * warp];
    int second = block_sum<256>(value), third = value;
    for (int distance = 8; distance > 0; distance >>= 1)
        third += __shfl_xor_sync(0xffffffffu, third, distance, 16);
    if (thread == 0) {
        results[3 * blockIdx.x] = first;
        results[3 * blockIdx.x + 1] = second;
        results[3 * blockIdx.x + 2] = 0;
    }
    __syncthreads();
    if (thread % 16 == 0)
        atomicAdd(&results[3 * blockIdx.x + 2], third);
}

int main()
{
    const int rows = 3, count = 1000;
    static int values[rows * count];
    int results[3 * rows], *device, *out, wrong = 0;
    for (int k = 0; k < rows * count; ++k)
        values[k] = k * 37 % 101;
    cudaMalloc(&device, sizeof(values));
    cudaMalloc(&out, sizeof(results));
    cudaMemcpy(device, values, sizeof(values), cudaMemcpyHostToDevice);
    sum<<<rows, 256>>>(device, count, out);
    cudaMemcpy(results, out, sizeof(results), cudaMemcpyDeviceToHost);
    for (int r = 0; r < rows; ++r) {
        int expected = 0;
        for (int k = 0; k < count; ++k)
            expected += values[r * count + k];
        for (int k = 0; k < 3; ++k)
            if (results[3 * r + k] != expected && ++wrong)
                printf("row %d, way %d: %d, expected %d\n", r, k, results[3 * r + k], expected);
    }
    return wrong != 0;
}
