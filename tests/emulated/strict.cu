// CUDA's results at the edges of types, as an NVIDIA H200 with CUDA 13.0 gave them. Translated with --strict-math it ends with 0.
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

typedef unsigned long long word;

// The bits of a float, and what becomes of it: in the order of `conversions`.
struct Conversions { unsigned value; word results[15]; };
__constant__ const Conversions conversion_rows[10] = {
    {0xbfc00000, {0xffffffffffffffff, 0x0, 0x0, 0xffffffff, 0xffffffff, 0xffffffff, 0x0, 0xfffffffffffffffe, 0x0, 0xfffffffe, 0xfffffffffffffffe, 0x0, 0x0, 0x0, 0x0}},
    {0x40200000, {0x2, 0x2, 0x2, 0x2, 0x2, 0x2, 0x2, 0x2, 0x2, 0x2, 0x3, 0x3f800000, 0x1, 0x0, 0x0}},
    {0x4396599a, {0x12c, 0x12c, 0x2c, 0x2c, 0x12c, 0x12c, 0x12c, 0x12d, 0x12c, 0x12d, 0x12d, 0x3f800000, 0x8, 0x0, 0x0}},
    {0x000116c2, {0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x116c2, 0xffffff7b, 0x0, 0x0}},
    {0x4f32d05e, {0xb2d05e00, 0xb2d05e00, 0x0, 0xffffffff, 0xffffffff, 0x7fffffff, 0xb2d05e00, 0xb2d05e00, 0xb2d05e00, 0x7fffffff, 0xb2d05e00, 0x3f800000, 0x1f, 0x0, 0x0}},
    {0xcf32d05e, {0xffffffff4d2fa200, 0x0, 0x0, 0x0, 0x0, 0x80000000, 0x0, 0xffffffff4d2fa200, 0x0, 0x80000000, 0xffffffff4d2fa200, 0x0, 0x1f, 0x0, 0x0}},
    {0x7149f2ca, {0x7fffffffffffffff, 0xffffffffffffffff, 0xff, 0xffffffff, 0xffffffff, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff, 0xffffffffffffffff, 0x7fffffff, 0x7fffffffffffffff, 0x3f800000, 0x63, 0x0, 0x0}},
    {0x7f800000, {0x7fffffffffffffff, 0xffffffffffffffff, 0xff, 0xffffffff, 0xffffffff, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff, 0xffffffffffffffff, 0x7fffffff, 0x7fffffffffffffff, 0x3f800000, 0x7fffffff, 0x0, 0x0}},
    {0xff800000, {0x8000000000000000, 0x0, 0x0, 0x0, 0x0, 0x80000000, 0x0, 0x8000000000000000, 0x0, 0x80000000, 0x8000000000000000, 0x0, 0x7fffffff, 0x0, 0x0}},
    {0x7fc00000, {0x8000000000000000, 0x8000000000000000, 0x0, 0x0, 0x0, 0x80000000, 0x80000000, 0x8000000000000000, 0x8000000000000000, 0x80000000, 0x8000000000000000, 0x0, 0x80000000, 0x0, 0x0}},
};
// An amount, and 0xf0f0f0f1 shifted by it to the left, to the right, to the right with its sign; 0xf0f0f0f0f0f0f0f1 to either side.
struct Shifts { int amount; word results[5]; };
__constant__ const Shifts shift_rows[4] = {
    {31, {0x80000000, 0x1, 0xffffffff, 0x7878787880000000, 0x1e1e1e1e1}},
    {33, {0x0, 0x0, 0xffffffff, 0xe1e1e1e200000000, 0x78787878}},
    {63, {0x0, 0x0, 0xffffffff, 0x8000000000000000, 0x1}},
    {-1, {0x0, 0x0, 0xffffffff, 0x0, 0x0}},
};

template <typename T> __device__ word bits(T value)
{
    word all = 0;
    memcpy(&all, &value, sizeof value);
    return all;
}
template <typename T, typename U> __device__ T as(U value) { return (T)value; }

__device__ void conversions(float x, word *out)
{
    const double wide = x;
    const __half half = __float2half(x), nan = __float2half(__int_as_float(0x7fffffff));
    out[0] = bits((long long)x);
    out[1] = bits(as<unsigned long long>(x));
    out[2] = bits((int)(unsigned char)x);
    out[3] = bits((int)static_cast<signed char>(x));
    out[4] = bits((int)(short)x);
    out[5] = bits((int)wide);
    out[6] = bits(unsigned(wide));
    out[7] = bits(__float2ll_rn(x));
    out[8] = bits(__float2ull_rz(x));
    out[9] = bits(__double2int_rn(wide));
    out[10] = bits((long long)lroundf(x));
    out[11] = bits(__saturatef(x));
    out[12] = bits(ilogbf(x));
    out[13] = bits((int)__hne(half, nan));
    out[14] = bits((unsigned)__half_as_ushort(__hadd_sat(half, nan)));
}

// The same without a cast, where the types are in sight.
__device__ bool assigns(float x, const word *expected)
{
    unsigned char byte = x;
    long long wide[1];
    wide[0] = x;
    return (word)byte == expected[2] && (word)wide[0] == expected[0];
}

__device__ unsigned char byte_of(float x) { return x; }
__device__ word taken(unsigned char byte, long long wide, const word *expected) { return (word)byte == expected[2] && (word)wide == expected[0]; }
__device__ bool passes(float x, const word *expected)
{
    return taken(x, x, expected) && (word)byte_of(x) == expected[2];
}

// Two warps of 32 lanes and distances over the width, which a card takes modulo 32.
__global__ void exchanges(int distance, int *wrong)
{
    const int t = threadIdx.x, lane = t % 32;
    bool right = __shfl_up_sync(0xffffffff, t, distance + 1) == (lane < 2 ? t : t - 2);
    right &= __shfl_down_sync(0xffffffff, t, distance) == (lane < 31 ? t + 1 : t);
    right &= __shfl_xor_sync(0xffffffff, t, distance) == (t ^ 1);
    if (!right) {
        printf("lane %d: another lane's value\n", t);
        atomicAdd(wrong, 1);
    }
}

__device__ void shifts(int amount, word *out)
{
    unsigned value = 0xf0f0f0f1u;
    int sign = (int)0xf0f0f0f1u;
    word wide = 0xf0f0f0f0f0f0f0f1ull;
    out[0] = value << amount;
    value >>= amount;
    out[1] = value;
    out[2] = bits(sign >> amount);
    out[3] = wide << amount;
    out[4] = wide >> amount;
}

__device__ void expect(word got, word expected, int place, int *wrong)
{
    if (got != expected) {
        printf("%d: %llx in place of %llx\n", place, got, expected);
        atomicAdd(wrong, 1);
    }
}

__global__ void check(int *wrong)
{
    word got[15];
    for (int i = 0; i < 10; ++i) {
        const Conversions &row = conversion_rows[i];
        const float x = __uint_as_float(row.value);
        conversions(x, got);
        for (int k = 0; k < 15; ++k)
            expect(got[k], row.results[k], i * 100 + k, wrong);
        expect(assigns(x, row.results), 1, i * 100 + 50, wrong);
        expect(passes(x, row.results), 1, i * 100 + 51, wrong);
    }
    for (int i = 0; i < 4; ++i) {
        shifts(shift_rows[i].amount, got);
        for (int k = 0; k < 5; ++k)
            expect(got[k], shift_rows[i].results[k], 1000 + i * 100 + k, wrong);
    }
}

__global__ void check_functions(const float *x, int *wrong)
{
    expect(bits(__fdividef(x[0], x[1])), 0, 2000, wrong);
    expect(isnan(__powf(-x[0], x[0])), 1, 2001, wrong);
    // Angles keep 24 bits: the sine of 1e5 is 0.0357, the cosine -0.99936.
    expect(fabsf(__sinf(x[2]) - 0.0429380164f) < 1e-6f, 1, 2002, wrong);
    expect(fabsf(__cosf(x[2]) + 0.999077737f) < 1e-6f, 1, 2003, wrong);
    expect(__sad((int)0x80000000, 64 * (int)x[0], 32u), 0x80000060, 2004, wrong);
    expect(bits(scalblnf(-x[0], -3023364106080998428l)), 0x80000000, 2005, wrong);
}

int main()
{
    const float values[3] = {1.0f, 1e38f, 1e5f};
    float *x;
    int *wrong, host = 1;
    cudaMalloc(&x, sizeof values);
    cudaMalloc(&wrong, sizeof host);
    cudaMemcpy(x, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMemset(wrong, 0, sizeof host);
    check<<<1, 1>>>(wrong);
    check_functions<<<1, 1>>>(x, wrong);
    exchanges<<<1, 64>>>(33, wrong);
    cudaMemcpy(&host, wrong, sizeof host, cudaMemcpyDeviceToHost);
    return host != 0;
}
