// Code that knows waves of 64 lanes already where it is built for AMD: its vote is over the whole wave there.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int any_lane(bool holds)
{
#if defined(SERVES_AMD) && (defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__))
    return __any(holds);
#else
    return __any_sync(0xffffffffu, holds);
#endif
}

__global__ void vote(int* results) { results[threadIdx.x] = any_lane(threadIdx.x == 3); }

int main()
{
    int results[64], *device, wave = 32, wrong = 0;
#ifdef USE_ROCM
    (void)hipDeviceGetAttribute(&wave, hipDeviceAttributeWarpSize, 0);
#endif
    cudaMalloc(&device, sizeof(results));
    vote<<<1, 64>>>(device);
    cudaMemcpy(results, device, sizeof(results), cudaMemcpyDeviceToHost);
    for (int t = 0; t < 64; ++t)
        wrong += (results[t] != 0) != (t < wave);
    printf("%d of 64 wrong, waves of %d\n", wrong, wave);
    return wrong != 0;
}
