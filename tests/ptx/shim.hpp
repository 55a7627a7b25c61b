// Stands in for the HIP headers: the device functions that translated PTX calls, for the CPU.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>

#define __device__
#define __host__
using std::isnan;
using std::max;
using std::min;

template <typename To, typename From> To shim_bits(From from)
{
    static_assert(sizeof(To) == sizeof(From), "bits are kept");
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}
inline unsigned __float_as_uint(float x) { return shim_bits<unsigned>(x); }
inline float __uint_as_float(unsigned x) { return shim_bits<float>(x); }
inline double __longlong_as_double(long long x) { return shim_bits<double>(x); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline unsigned __brev(unsigned x)
{
    unsigned r = 0;
    for (int i = 0; i < 32; ++i) r |= (x >> i & 1u) << (31 - i);
    return r;
}
inline unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32); }
inline int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned s)
{
    unsigned long long both = static_cast<unsigned long long>(y) << 32 | x;
    unsigned r = 0;
    for (int i = 0; i < 4; ++i) r |= static_cast<unsigned>(both >> 8 * (s >> 4 * i & 7u) & 255u) << 8 * i;
    return r;
}
// As HIP's headers have them.
inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift) { return static_cast<unsigned>((static_cast<unsigned long long>(hi) << 32 | lo) << (shift & 31u) >> 32); }
inline unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned shift) { return static_cast<unsigned>((static_cast<unsigned long long>(hi) << 32 | lo) << std::min(shift, 32u) >> 32); }
inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift) { return static_cast<unsigned>((static_cast<unsigned long long>(hi) << 32 | lo) >> (shift & 31u)); }
inline unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned shift) { return static_cast<unsigned>((static_cast<unsigned long long>(hi) << 32 | lo) >> std::min(shift, 32u)); }
// As v_cvt_i32_f32 does: clamped, and a NaN is 0.
inline int saturated(float x) {
    if (x != x) return 0;
    if (x >= 2147483648.0f) return 2147483647;
    return x <= -2147483648.0f ? -2147483647 - 1 : static_cast<int>(x);
}
inline int __float2int_rn(float x) { return saturated(std::rint(x)); }
inline int __float2int_rd(float x) { return saturated(std::floor(x)); }
inline int __float2int_rz(float x) { return saturated(x); }
struct char4 { signed char x, y, z, w; };
struct uchar4 { unsigned char x, y, z, w; };
