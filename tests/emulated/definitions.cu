// Functions whose results their manual says exactly, or whose exact value is known: constructors of vectors, complex numbers, norms of
// arrays, bytes in the other order, exchanges without a mask, which CUDA 8 had last. Ends with 0 where all are right.
#include <cstdio>
#include <cuComplex.h>
#include <cuda_runtime.h>

__device__ void expect(bool right, int place, int *wrong)
{
    if (!right) {
        printf("%d is wrong\n", place);
        atomicAdd(wrong, 1);
    }
}

#define VECTORS(NAME, TYPE)                                                                              \
    __device__ void make_all_of_##NAME(int place, int *wrong)                                            \
    {                                                                                                    \
        const TYPE a = (TYPE)(threadIdx.x + 3), b = (TYPE)101, c = (TYPE)7, d = (TYPE)(threadIdx.x + 9);  \
        expect(make_##NAME##1(a).x == a, place, wrong);                                                  \
        auto two = make_##NAME##2(a, b);                                                                 \
        expect(two.x == a && two.y == b, place + 2, wrong);                                              \
        auto three = make_##NAME##3(a, b, c);                                                            \
        expect(three.x == a && three.y == b && three.z == c, place + 3, wrong);                          \
        auto four = make_##NAME##4(a, b, c, d);                                                          \
        expect(four.x == a && four.y == b && four.z == c && four.w == d, place + 4, wrong);              \
    }
VECTORS(char, signed char)
VECTORS(uchar, unsigned char)
VECTORS(short, short)
VECTORS(ushort, unsigned short)
VECTORS(int, int)
VECTORS(uint, unsigned)
VECTORS(long, long)
VECTORS(ulong, unsigned long)
VECTORS(longlong, long long)
VECTORS(ulonglong, unsigned long long)
VECTORS(float, float)
VECTORS(double, double)

__device__ bool is(cuFloatComplex z, float x, float y) { return cuCrealf(z) == x && cuCimagf(z) == y; }
__device__ bool is(cuDoubleComplex z, double x, double y) { return cuCreal(z) == x && cuCimag(z) == y; }

__global__ void complex(const float *in, int *wrong)
{
    // 3 + 4i and 1 - 2i, whose products and quotients are exact.
    cuFloatComplex a = make_cuFloatComplex(in[0], in[1]), b = make_cuComplex(in[2], in[3]);
    expect(is(cuCaddf(a, b), 4, 2) && is(cuCsubf(a, b), 2, 6), 1000, wrong);
    expect(is(cuCmulf(a, b), 11, -2), 1001, wrong);
    expect(fabsf(cuCrealf(cuCdivf(a, b)) + 1) < 1e-6f && fabsf(cuCimagf(cuCdivf(a, b)) - 2) < 1e-6f, 1002, wrong);
    expect(cuCabsf(a) == 5 && is(cuConjf(a), 3, -4) && is(cuCfmaf(a, b, a), 14, 2), 1003, wrong);
    cuDoubleComplex c = cuComplexFloatToDouble(a), d = make_cuDoubleComplex(in[2], in[3]);
    expect(is(cuCadd(c, d), 4, 2) && is(cuCsub(c, d), 2, 6), 1010, wrong);
    expect(is(cuCmul(c, d), 11, -2), 1011, wrong);
    expect(fabs(cuCreal(cuCdiv(c, d)) + 1) < 1e-15 && fabs(cuCimag(cuCdiv(c, d)) - 2) < 1e-15, 1012, wrong);
    expect(cuCabs(c) == 5 && is(cuConj(c), 3, -4) && is(cuCfma(c, d, c), 14, 2), 1013, wrong);
    expect(is(cuComplexDoubleToFloat(c), 3, 4), 1014, wrong);
}

__global__ void norms(const float *in, int *wrong)
{
    const double wide[4] = {in[4], in[5], in[6], in[7]};
    expect(normf(4, in + 4) == 8 && norm(4, wide) == 8, 2000, wrong);
    expect(rnormf(4, in + 4) == 0.125f && rnorm(4, wide) == 0.125, 2001, wrong);
    expect(isnan(nanf("")) && isnan(nan("")), 2002, wrong);
}

// Names of glibc that CUDA has for the device.
__global__ void classes(const float *in, int *wrong)
{
    const float f[4] = {in[0], -in[0], __int_as_float(0x7fc00000), __int_as_float(0xff800000)};
    for (int i = 0; i < 4; i++) {
        const double d = f[i];
        const bool is_nan = i == 2, is_infinite = i == 3, is_negative = i == 1 || i == 3;
        expect((__isnanf(f[i]) != 0) == is_nan && (__isnan(d) != 0) == is_nan, 4000 + i, wrong);
        expect((__isinff(f[i]) != 0) == is_infinite && (__isinf(d) != 0) == is_infinite, 4010 + i, wrong);
        expect((__finitef(f[i]) != 0) == (i < 2) && (__finite(d) != 0) == (i < 2), 4020 + i, wrong);
        expect((__signbitf(f[i]) != 0) == is_negative && (__signbit(d) != 0) == is_negative, 4030 + i, wrong);
    }
}

// Two warps of 32.
__global__ void exchanges(int *wrong)
{
    const int t = threadIdx.x, lane = t % 32, first = t - lane;
    expect(__shfl(t, 5) == first + 5, 3000, wrong);
    expect(__shfl_up(t, 1) == (lane ? t - 1 : t) && __shfl_down(t, 1) == (lane < 31 ? t + 1 : t), 3001, wrong);
    expect(__shfl_xor(t, 17) == (t ^ 17), 3002, wrong);
    // A card takes distances modulo 32, also behind the width.
    expect(__shfl_up(t, 33) == __shfl_up(t, 1) && __shfl_up_sync(0xffffffff, t, 47) == (lane < 15 ? t : t - 15), 3010, wrong);
    expect(__shfl_down_sync(0xffffffff, t, 33) == (lane < 31 ? t + 1 : t) && __shfl_down(t, 32) == t, 3011, wrong);
    expect(__shfl_xor_sync(0xffffffff, t, 33) == (t ^ 1) && __shfl_sync(0xffffffff, t, 37) == first + 5, 3012, wrong);
    expect(__shfl_up_sync(0xffffffff, t, 35, 8) == (lane % 8 < 3 ? t : t - 3), 3013, wrong);
    expect(__ballot(t != 33) == (first ? 0xfffffffdu : 0xffffffffu), 3003, wrong);
    expect(__all(t != 33) == !first && __any(t == 33) == (first != 0), 3004, wrong);
    expect(__nv_bswap16(0x1234 + first) == (first ? 0x5412 : 0x3412), 3005, wrong);
    expect(__nv_bswap32(0x12345678u) == 0x78563412u, 3006, wrong);
    expect(__nv_bswap64(0x123456789abcdef0ull) == 0xf0debc9a78563412ull, 3007, wrong);
}

__global__ void vectors(int *wrong)
{
    make_all_of_char(10, wrong);
    make_all_of_uchar(20, wrong);
    make_all_of_short(30, wrong);
    make_all_of_ushort(40, wrong);
    make_all_of_int(50, wrong);
    make_all_of_uint(60, wrong);
    make_all_of_long(70, wrong);
    make_all_of_ulong(80, wrong);
    make_all_of_longlong(90, wrong);
    make_all_of_ulonglong(100, wrong);
    make_all_of_float(110, wrong);
    make_all_of_double(120, wrong);
}

int main()
{
    const float values[8] = {3, 4, 1, -2, 4, 4, 4, -4};
    float *in;
    int *wrong, host = 1;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&wrong, sizeof host);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMemset(wrong, 0, sizeof host);
    vectors<<<1, 64>>>(wrong);
    complex<<<1, 1>>>(in, wrong);
    norms<<<1, 1>>>(in, wrong);
    classes<<<1, 1>>>(in, wrong);
    exchanges<<<1, 64>>>(wrong);
    cudaMemcpy(&host, wrong, sizeof host, cudaMemcpyDeviceToHost);
    return host != 0;
}
