// Two threads of one warp that wait for each other: a mailbox between thread 0 and thread 32 of a block, one of which CUDA runs on while
// the other polls.
#include <cstdio>

__global__ void meet(int* result)
{
    __shared__ volatile int mail;
    if (threadIdx.x == 0)
        mail = 0;
    __syncthreads();
    if (threadIdx.x == 32) {
        while (mail == 0) {
        }
        *result = mail + 1;
    }
    if (threadIdx.x == 0)
        mail = 41;
}

int main()
{
    int *device, result = 0;
    cudaMalloc(&device, sizeof(int));
    meet<<<1, 64>>>(device);
    cudaMemcpy(&result, device, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", result);
    return result != 42;
}
