// The bits of a half in braces: one, minus two, and infinity.
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__device__ __half of_bits(unsigned short bits)
{
    __half_raw raw = {bits};
    return raw;
}

__global__ void fill(float *x)
{
    x[0] = __half2float(__half_raw{0x3c00});
    x[1] = __half2float(of_bits((unsigned short)(0xc000 | threadIdx.x)));
    const __half_raw infinity = {0x7c00};
    x[2] = __half2float(infinity);
}

int main()
{
    float x[3] = {0, 0, 0}, *of_x;
    cudaMalloc(&of_x, sizeof(x));
    fill<<<1, 1>>>(of_x);
    cudaMemcpy(x, of_x, sizeof(x), cudaMemcpyDeviceToHost);
    const int wrong = (x[0] != 1.0f) + (x[1] != -2.0f) + !(x[2] > 65504.0f);
    printf(wrong ? "FAIL %g %g %g\n" : "PASS\n", x[0], x[1], x[2]);
    cudaFree(of_x);
    return wrong;
}
