// One row for 32 threads; each of them takes every 32nd element.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void twice(const float* from, float* to, int columns)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    for (int k = threadIdx.x; k < columns; k += warpSize)
        to[row * columns + k] = 2 * from[row * columns + k];
}

int main()
{
    const int rows = 16, columns = 100, count = rows * columns;
    float values[count], *from, *to;
    for (int k = 0; k < count; ++k)
        values[k] = k + 1;
    cudaMalloc(&from, sizeof(values));
    cudaMalloc(&to, sizeof(values));
    cudaMemcpy(from, values, sizeof(values), cudaMemcpyHostToDevice);
    cudaMemset(to, 0, sizeof(values));
    twice<<<rows / 8, dim3(32, 8)>>>(from, to, columns);
    cudaMemcpy(values, to, sizeof(values), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int k = 0; k < count; ++k)
        wrong += values[k] != 2 * (k + 1);
    printf("%d of %d wrong\n", wrong, count);
    return wrong != 0;
}
