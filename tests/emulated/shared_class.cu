// Shared memory of a class whose constructor sets something, which neither compiler runs there.
#include <cstdio>
#include <cuda_runtime.h>

struct Number {
    __host__ __device__ Number() : value(-1) {}
    __host__ __device__ explicit Number(int of) : value(of) {}
    int value;
};

template <typename T> struct Pair {
    T first = 1, second = 2;
};

template <int rows> __global__ void turned(int *out)
{
    __shared__ __align__(16) Number cells[rows][32];
    __shared__ Pair<int> both;
    for (int row = 0; row < rows; row++)
        cells[row][threadIdx.x] = Number(row * 32 + threadIdx.x);
    if (threadIdx.x == 0)
        both.first = both.second = 500;
    __syncthreads();
    for (int row = 0; row < rows; row++)
        out[row * 32 + threadIdx.x] = cells[rows - 1 - row][31 - threadIdx.x].value + both.first + both.second;
}

int main()
{
    int out[64] = {}, *of_out, wrong = 0;
    cudaMalloc(&of_out, sizeof(out));
    turned<2><<<1, 32>>>(of_out);
    cudaMemcpy(out, of_out, sizeof(out), cudaMemcpyDeviceToHost);
    for (int at = 0; at < 64; at++)
        wrong += out[at] != 63 - at + 1000;
    printf(wrong ? "FAIL %d\n" : "PASS\n", wrong);
    cudaFree(of_out);
    return wrong != 0;
}
