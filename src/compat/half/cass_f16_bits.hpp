// name: cass_f16_bits
// provides: cass_f16_from_f32, cass_f16_to_f32, cass_f16_add, cass_f16_sub, cass_f16_mul, cass_f16_fma, cass_f16_exp2, cass_f16_tanh, cass_f16x2_add, cass_f16x2_sub, cass_f16x2_mul, cass_f16x2_fma, cass_f16x2_min, cass_f16x2_max, cass_f16x2_exp2, cass_f16x2_tanh
// replaces:
// includes: cmath, hip/hip_fp16.h
// summary: Half-precision arithmetic on the bits that hold one half or two.
// source: PTX ISA 8.7, half precision floating-point instructions; clang 19 language extensions (vectors, elementwise builtins)
typedef _Float16 cass_f16_pair __attribute__((ext_vector_type(2)));

__device__ inline _Float16 cass_f16(unsigned short bits) { return __builtin_bit_cast(_Float16, bits); }
__device__ inline unsigned short cass_f16_bits(_Float16 value) { return __builtin_bit_cast(unsigned short, value); }
__device__ inline cass_f16_pair cass_f16x2(unsigned bits) { return __builtin_bit_cast(cass_f16_pair, bits); }
__device__ inline unsigned cass_f16x2_bits(cass_f16_pair value) { return __builtin_bit_cast(unsigned, value); }

__device__ inline unsigned short cass_f16_from_f32(float value) { return cass_f16_bits(static_cast<_Float16>(value)); }
__device__ inline float cass_f16_to_f32(unsigned short bits) { return static_cast<float>(cass_f16(bits)); }
__device__ inline unsigned short cass_f16_add(unsigned short a, unsigned short b)
{
    #pragma clang fp contract(off)
    return cass_f16_bits(cass_f16(a) + cass_f16(b));
}
__device__ inline unsigned short cass_f16_sub(unsigned short a, unsigned short b)
{
    #pragma clang fp contract(off)
    return cass_f16_bits(cass_f16(a) - cass_f16(b));
}
__device__ inline unsigned short cass_f16_mul(unsigned short a, unsigned short b)
{
    #pragma clang fp contract(off)
    return cass_f16_bits(cass_f16(a) * cass_f16(b));
}
__device__ inline unsigned short cass_f16_fma(unsigned short a, unsigned short b, unsigned short c)
{
    return cass_f16_bits(__builtin_elementwise_fma(cass_f16(a), cass_f16(b), cass_f16(c)));
}
__device__ inline unsigned short cass_f16_exp2(unsigned short a) { return cass_f16_from_f32(::exp2f(cass_f16_to_f32(a))); }
__device__ inline unsigned short cass_f16_tanh(unsigned short a) { return cass_f16_from_f32(::tanhf(cass_f16_to_f32(a))); }
__device__ inline unsigned cass_f16x2_add(unsigned a, unsigned b)
{
    #pragma clang fp contract(off)
    return cass_f16x2_bits(cass_f16x2(a) + cass_f16x2(b));
}
__device__ inline unsigned cass_f16x2_sub(unsigned a, unsigned b)
{
    #pragma clang fp contract(off)
    return cass_f16x2_bits(cass_f16x2(a) - cass_f16x2(b));
}
__device__ inline unsigned cass_f16x2_mul(unsigned a, unsigned b)
{
    #pragma clang fp contract(off)
    return cass_f16x2_bits(cass_f16x2(a) * cass_f16x2(b));
}
__device__ inline unsigned cass_f16x2_fma(unsigned a, unsigned b, unsigned c)
{
    return cass_f16x2_bits(__builtin_elementwise_fma(cass_f16x2(a), cass_f16x2(b), cass_f16x2(c)));
}
__device__ inline unsigned cass_f16x2_min(unsigned a, unsigned b)
{
    return cass_f16x2_bits(__builtin_elementwise_min(cass_f16x2(a), cass_f16x2(b)));
}
__device__ inline unsigned cass_f16x2_max(unsigned a, unsigned b)
{
    return cass_f16x2_bits(__builtin_elementwise_max(cass_f16x2(a), cass_f16x2(b)));
}
__device__ inline unsigned cass_f16x2_exp2(unsigned a)
{
    return cass_f16_exp2(static_cast<unsigned short>(a)) | static_cast<unsigned>(cass_f16_exp2(static_cast<unsigned short>(a >> 16))) << 16;
}
__device__ inline unsigned cass_f16x2_tanh(unsigned a)
{
    return cass_f16_tanh(static_cast<unsigned short>(a)) | static_cast<unsigned>(cass_f16_tanh(static_cast<unsigned short>(a >> 16))) << 16;
}
// nvidia:
__device__ inline __half cass_f16(unsigned short bits) { return __ushort_as_half(bits); }
__device__ inline __half2 cass_f16x2(unsigned bits)
{
    return __halves2half2(cass_f16(static_cast<unsigned short>(bits)), cass_f16(static_cast<unsigned short>(bits >> 16)));
}
__device__ inline unsigned cass_f16x2_bits(__half2 value)
{
    return __half_as_ushort(__low2half(value)) | static_cast<unsigned>(__half_as_ushort(__high2half(value))) << 16;
}
__device__ inline unsigned short cass_f16_from_f32(float value) { return __half_as_ushort(__float2half_rn(value)); }
__device__ inline float cass_f16_to_f32(unsigned short bits) { return __half2float(cass_f16(bits)); }
__device__ inline unsigned short cass_f16_add(unsigned short a, unsigned short b) { return __half_as_ushort(__hadd_rn(cass_f16(a), cass_f16(b))); }
__device__ inline unsigned short cass_f16_sub(unsigned short a, unsigned short b) { return __half_as_ushort(__hsub_rn(cass_f16(a), cass_f16(b))); }
__device__ inline unsigned short cass_f16_mul(unsigned short a, unsigned short b) { return __half_as_ushort(__hmul_rn(cass_f16(a), cass_f16(b))); }
__device__ inline unsigned short cass_f16_fma(unsigned short a, unsigned short b, unsigned short c)
{
    return __half_as_ushort(__hfma(cass_f16(a), cass_f16(b), cass_f16(c)));
}
__device__ inline unsigned short cass_f16_exp2(unsigned short a) { return cass_f16_from_f32(::exp2f(cass_f16_to_f32(a))); }
__device__ inline unsigned short cass_f16_tanh(unsigned short a) { return cass_f16_from_f32(::tanhf(cass_f16_to_f32(a))); }
__device__ inline unsigned cass_f16x2_add(unsigned a, unsigned b) { return cass_f16x2_bits(__hadd2_rn(cass_f16x2(a), cass_f16x2(b))); }
__device__ inline unsigned cass_f16x2_sub(unsigned a, unsigned b) { return cass_f16x2_bits(__hsub2_rn(cass_f16x2(a), cass_f16x2(b))); }
__device__ inline unsigned cass_f16x2_mul(unsigned a, unsigned b) { return cass_f16x2_bits(__hmul2_rn(cass_f16x2(a), cass_f16x2(b))); }
__device__ inline unsigned cass_f16x2_fma(unsigned a, unsigned b, unsigned c)
{
    return cass_f16x2_bits(__hfma2(cass_f16x2(a), cass_f16x2(b), cass_f16x2(c)));
}
__device__ inline unsigned cass_f16x2_min(unsigned a, unsigned b) { return cass_f16x2_bits(__hmin2(cass_f16x2(a), cass_f16x2(b))); }
__device__ inline unsigned cass_f16x2_max(unsigned a, unsigned b) { return cass_f16x2_bits(__hmax2(cass_f16x2(a), cass_f16x2(b))); }
__device__ inline unsigned cass_f16x2_exp2(unsigned a)
{
    return cass_f16_exp2(static_cast<unsigned short>(a)) | static_cast<unsigned>(cass_f16_exp2(static_cast<unsigned short>(a >> 16))) << 16;
}
__device__ inline unsigned cass_f16x2_tanh(unsigned a)
{
    return cass_f16_tanh(static_cast<unsigned short>(a)) | static_cast<unsigned>(cass_f16_tanh(static_cast<unsigned short>(a >> 16))) << 16;
}
