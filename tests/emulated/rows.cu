// What rows of the catalogue say stays right or is changed with the same meaning, run. Ends with 0 where all numbers are CUDA's.
#include <cstdio>
#include <cuda_runtime.h>

#define P_ARCH __CUDA_ARCH__
#define LAUNCH(kernel, grid, block, ...)          \
    do {                                          \
        kernel<<<grid, block>>>(__VA_ARGS__);     \
        cudaDeviceSynchronize();                  \
    } while (0)

struct __align__(16) Quad { float a[4]; };
struct Shape { dim3 grid; int block; };

constexpr int square(int x) { return x * x; }
__device__ __noinline__ float first(const Quad *__restrict__ quad) { return quad->a[0]; }

__device__ void expect(bool right, int place, int *wrong)
{
    if (!right) {
        printf("%d is wrong\n", place);
        atomicAdd(wrong, 1);
    }
}

__global__ void add(int *sum, int value) { atomicAdd(sum, value); }

__global__ void numbers(float4 *vectors, const Quad *quads, unsigned mask, int n, int *wrong)
{
    // A coordinate as a number, the smaller and the larger of two types, a constant function.
    long long wide = n;
    unsigned few = n;
    expect(min(threadIdx.x, 5) == (threadIdx.x < 5 ? threadIdx.x : 5), 10, wrong);
    expect(max(wide, 3) == 32 && min(few, 5) == 5 && max(3, wide) == 32, 11, wrong);
    expect(square(n) == 1024 && first(quads) == 7, 12, wrong);
    // A count of bits whose sign shows.
    float balance = 8 - 2 * __popc(mask);
    expect(balance == -8, 13, wrong);
    // The sides of a condition on an alias of the architecture.
#if P_ARCH >= 700
    int side = 1;
#else
    int side = 0;
#endif
    expect(side == 1, 14, wrong);
    // Elements of a vector by their address.
    if (threadIdx.x == 0) {
        float *element = &vectors->x;
        element[2] = 5;
        atomicAdd(&vectors->y, 1.0f);
        expect(vectors->z == 5 && vectors->y == 3, 15, wrong);
    }
    int sum = 0;
#pragma unroll
    for (int i = 0; i < 4; i++)
        sum += i;
#pragma unroll(4)
    for (int i = 0; i < n; i++)
        sum += i;
    expect(sum == 502, 16, wrong);
    expect(__syncthreads_count(threadIdx.x < 3) == 3 && __syncthreads_and(1) && !__syncthreads_or(0), 17, wrong);
}

int main()
{
    int *sum, *wrong, host[2] = {0, 0};
    float4 *vectors, plain = {1, 2, 3, 4};
    Quad *quads, quad = {{7, 0, 0, 0}};
    cudaMalloc(&sum, 4);
    cudaMalloc(&wrong, 4);
    cudaMalloc(&vectors, sizeof plain);
    cudaMalloc(&quads, sizeof quad);
    cudaMemset(sum, 0, 4);
    cudaMemset(wrong, 0, 4);
    // A kind of copy as a number, and one that the library finds out.
    cudaMemcpy(vectors, &plain, sizeof plain, (cudaMemcpyKind)1);
    cudaMemcpy(quads, &quad, sizeof quad, cudaMemcpyDefault);
    // Launches by name, through variables, members and a macro.
    void (*pointer)(int *, int) = add;
    auto deduced = add;
    const Shape shape = {dim3(2), 32};
    add<<<1, 32>>>(sum, 1);
    pointer<<<dim3{1, 2}, shape.block>>>(sum, 1);
    deduced<<<shape.grid, shape.block, 0, cudaStreamLegacy>>>(sum, 1);
    LAUNCH(add, 1, 32, sum, 1);
    numbers<<<1, 64>>>(vectors, quads, 0xff, 32, wrong);
    cudaStreamSynchronize(cudaStreamPerThread);
    cudaMemcpy(host, sum, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(host + 1, wrong, 4, cudaMemcpyDeviceToHost);
    cudaFree(sum);
    return host[0] != 192 || host[1] != 0;
}
