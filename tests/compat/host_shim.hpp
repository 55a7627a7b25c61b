// Stands in for the HIP headers where the helpers are compiled for the CPU: words of the language, vectors, half types.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define __device__
#define __host__
#define __global__

// Reports a failed expectation with its place; finish() turns the count into the exit status.
static int failures = 0;
#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition) && ++failures <= 20)                                   \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);     \
    } while (0)
inline int finish()
{
    if (failures)
        fprintf(stderr, "%d failures\n", failures);
    return failures != 0;
}

#define SHIM_VECTOR(V, T)                                                                         \
    struct V##1 { T x; };                                                                         \
    struct V##2 { T x, y; };                                                                      \
    struct V##3 { T x, y, z; };                                                                   \
    struct alignas(4 * sizeof(T)) V##4 { T x, y, z, w; };                                         \
    inline V##1 make_##V##1(T x) { return {x}; }                                                  \
    inline V##2 make_##V##2(T x, T y) { return {x, y}; }                                          \
    inline V##3 make_##V##3(T x, T y, T z) { return {x, y, z}; }                                  \
    inline V##4 make_##V##4(T x, T y, T z, T w) { return {x, y, z, w}; }
SHIM_VECTOR(char, signed char)
SHIM_VECTOR(uchar, unsigned char)
SHIM_VECTOR(short, short)
SHIM_VECTOR(ushort, unsigned short)
SHIM_VECTOR(int, int)
SHIM_VECTOR(uint, unsigned int)
SHIM_VECTOR(float, float)
SHIM_VECTOR(double, double)
#undef SHIM_VECTOR

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

template <typename T> inline T __builtin_nontemporal_load(const T* address);
template <typename T> inline void __builtin_nontemporal_store(T value, T* address);

// IEEE half by the compiler's own type; bfloat16 as the upper half of a float, rounded to nearest even.
struct __half { unsigned short bits; };
struct __half2 { __half x, y; };
struct __hip_bfloat16 { unsigned short bits; };
struct __hip_bfloat162 {
    __hip_bfloat16 x, y;
    __hip_bfloat162() = default;
    __hip_bfloat162(__hip_bfloat16 x, __hip_bfloat16 y) : x(x), y(y) {}
};
inline __half shim_half(double value)
{
    _Float16 rounded = static_cast<_Float16>(value);
    __half result;
    memcpy(&result, &rounded, sizeof(result));
    return result;
}
inline float __half2float(__half value)
{
    _Float16 number;
    memcpy(&number, &value, sizeof(number));
    return static_cast<float>(number);
}
inline float __bfloat162float(__hip_bfloat16 value)
{
    unsigned bits = static_cast<unsigned>(value.bits) << 16;
    float number;
    memcpy(&number, &bits, sizeof(number));
    return number;
}
// Rounds a number that is exact in long double: first to an odd float, which the second rounding cannot betray.
inline __hip_bfloat16 shim_bfloat16(long double value)
{
    float rounded = static_cast<float>(value);
    unsigned bits;
    memcpy(&bits, &rounded, sizeof(bits));
    if (value != value)
        return {0x7fff};
    if (!std::isinf(rounded) && rounded != value) {
        if (std::fabs(static_cast<long double>(rounded)) > std::fabs(value))
            --bits;
        bits |= 1;
    } else if (std::isinf(rounded) && !std::isinf(value)) {
        bits = (bits & 0x80000000u) | 0x7f7fffffu;
    }
    return {static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}
inline __half __float2half(float value) { return shim_half(value); }
inline __hip_bfloat16 __float2bfloat16(float value) { return shim_bfloat16(value); }
inline __half2 __floats2half2_rn(float x, float y) { return {__float2half(x), __float2half(y)}; }
inline __half2 __halves2half2(__half x, __half y) { return {x, y}; }
inline __hip_bfloat162 __halves2bfloat162(__hip_bfloat16 x, __hip_bfloat16 y) { return {x, y}; }
inline __half __low2half(__half2 a) { return a.x; }
inline __half __high2half(__half2 a) { return a.y; }
inline __hip_bfloat16 __low2bfloat16(__hip_bfloat162 a) { return a.x; }
inline __hip_bfloat16 __high2bfloat16(__hip_bfloat162 a) { return a.y; }
inline float __low2float(__half2 a) { return __half2float(a.x); }
inline float __high2float(__half2 a) { return __half2float(a.y); }
inline __half2 __half2half2(__half a) { return {a, a}; }
inline __hip_bfloat162 __bfloat162bfloat162(__hip_bfloat16 a) { return {a, a}; }
inline __half __hneg(__half a) { return {static_cast<unsigned short>(a.bits ^ 0x8000)}; }
inline __hip_bfloat16 __hneg(__hip_bfloat16 a) { return {static_cast<unsigned short>(a.bits ^ 0x8000)}; }

#define SHIM_HALF(H, H2, round, wide)                                                                             \
    inline H __hadd(H a, H b) { return round((long double)wide(a) + wide(b)); }                                   \
    inline H __hsub(H a, H b) { return round((long double)wide(a) - wide(b)); }                                   \
    inline H __hmul(H a, H b) { return round((long double)wide(a) * wide(b)); }                                   \
    inline H __hfma(H a, H b, H c) { return shim_fma(a, b, c); }                                                  \
    inline H2 __hadd2(H2 a, H2 b) { return {__hadd(a.x, b.x), __hadd(a.y, b.y)}; }                                \
    inline H2 __hsub2(H2 a, H2 b) { return {__hsub(a.x, b.x), __hsub(a.y, b.y)}; }                                \
    inline H2 __hmul2(H2 a, H2 b) { return {__hmul(a.x, b.x), __hmul(a.y, b.y)}; }                                \
    inline H2 __hfma2(H2 a, H2 b, H2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
// The product is exact; the sum is rounded to an odd last bit where it is not, so that the final rounding is the only one.
template <typename Wide> inline Wide shim_odd_sum(Wide product, Wide c)
{
    Wide sum = product + c, other = sum - product;
    Wide error = (product - (sum - other)) + (c - other);
    if (!(error != 0) || !std::isfinite(sum))
        return sum;
    Wide next = std::nextafter(sum, error > 0 ? Wide(INFINITY) : Wide(-INFINITY));
    unsigned long long low;
    memcpy(&low, &sum, sizeof(low));
    return low & 1 ? sum : next;
}
inline __half shim_fma(__half a, __half b, __half c)
{
    return shim_half(shim_odd_sum<double>(static_cast<double>(__half2float(a)) * __half2float(b), __half2float(c)));
}
inline __hip_bfloat16 shim_fma(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c)
{
    return shim_bfloat16(shim_odd_sum<double>(static_cast<double>(__bfloat162float(a)) * __bfloat162float(b), __bfloat162float(c)));
}
SHIM_HALF(__half, __half2, shim_half, __half2float)
SHIM_HALF(__hip_bfloat16, __hip_bfloat162, shim_bfloat16, __bfloat162float)
#undef SHIM_HALF
