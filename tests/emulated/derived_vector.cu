// A class that is derived from a vector type and converts to a number: its operators are those of the number.
#include <cstdio>
#include <cuda_runtime.h>

struct Pair : public uint2 {
    __device__ Pair(unsigned low, unsigned high)
    {
        uint2::x = low;
        uint2::y = high;
    }
    __device__ operator unsigned long long() const { return (unsigned long long)y << 32 | x; }
};

__global__ void products(unsigned long long *out)
{
    Pair one(3u, 5u), two(threadIdx.x, 1u);
    out[2 * threadIdx.x] = one * two;
    out[2 * threadIdx.x + 1] = one ^ two;
}

int main()
{
    unsigned long long *out, found[128];
    cudaMalloc(&out, sizeof(found));
    products<<<1, 64>>>(out);
    cudaMemcpy(found, out, sizeof(found), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (unsigned long long at = 0; at < 64; ++at) {
        unsigned long long one = 5ull << 32 | 3, two = 1ull << 32 | at;
        wrong += found[2 * at] != one * two;
        wrong += found[2 * at + 1] != (one ^ two);
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
