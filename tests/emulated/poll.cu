// The first block waits for the second one by loads that pass the first-level cache; the assembly says that memory may change.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int load(const int* address)
{
    int value;
    asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
    return value;
}

__global__ void hand_over(int* flag, int* data, int* seen)
{
    if (blockIdx.x == 1) {
        data[0] = 41;
        __threadfence();
        atomicExch(flag, 1);
    } else {
        while (load(flag) == 0) {}
        __threadfence();
        *seen = load(data);
    }
}

int main()
{
    int *words, seen = 0;
    cudaMalloc(&words, 3 * sizeof(int));
    cudaMemset(words, 0, 3 * sizeof(int));
    hand_over<<<2, 1>>>(words, words + 1, words + 2);
    cudaMemcpy(&seen, words + 2, sizeof(int), cudaMemcpyDeviceToHost);
    printf("seen %d\n", seen);
    return seen != 41;
}
