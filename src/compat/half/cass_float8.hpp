// name: cass_float8
// provides: cass_e4m3x2_from_f32, cass_e5m2x2_from_f32, cass_e4m3x2_from_f16x2, cass_e5m2x2_from_f16x2, cass_f16x2_from_e4m3x2, cass_f16x2_from_e5m2x2
// replaces:
// requires: cass_f16_bits
// summary: Two numbers of 8 bits, as PTX converts them: to the nearest, to the even one of two, and to the largest where none is large enough.
// source: PTX ISA 8.7, cvt; OCP 8-bit floating point specification 1.0
// nvidia: same

// `mantissa` bits behind an exponent of this bias; a NaN is 0x7f.
__device__ inline unsigned cass_float8_bits(float value, int mantissa, int bias, float largest)
{
    const float size = fminf(fabsf(value), largest);
    const unsigned sign = __float_as_uint(value) >> 24 & 0x80u;
    if (value != value)
        return 0x7fu;
    if (size < ldexpf(1.0f, 1 - bias))
        return sign | static_cast<unsigned>(rintf(ldexpf(size, bias - 1 + mantissa)));
    const int left_out = 23 - mantissa;
    unsigned bits = __float_as_uint(size);
    bits += (1u << (left_out - 1)) - 1u + (bits >> left_out & 1u);
    return sign | ((bits >> left_out) - (static_cast<unsigned>(127 - bias) << mantissa));
}
__device__ inline unsigned short cass_e4m3x2_from_f32(float high, float low)
{
    return static_cast<unsigned short>(cass_float8_bits(high, 3, 7, 448.0f) << 8 | cass_float8_bits(low, 3, 7, 448.0f));
}
__device__ inline unsigned short cass_e5m2x2_from_f32(float high, float low)
{
    return static_cast<unsigned short>(cass_float8_bits(high, 2, 15, 57344.0f) << 8 | cass_float8_bits(low, 2, 15, 57344.0f));
}
__device__ inline unsigned short cass_e4m3x2_from_f16x2(unsigned halves)
{
    return cass_e4m3x2_from_f32(cass_f16_to_f32(halves >> 16), cass_f16_to_f32(halves & 0xffffu));
}
__device__ inline unsigned short cass_e5m2x2_from_f16x2(unsigned halves)
{
    return cass_e5m2x2_from_f32(cass_f16_to_f32(halves >> 16), cass_f16_to_f32(halves & 0xffffu));
}
// A half has the same sign and an exponent of 5 bits with a bias of 15; its NaN is 0x7fff.
__device__ inline unsigned cass_f16_from_e4m3(unsigned byte)
{
    const unsigned size = byte & 0x7fu;
    if (size == 0x7fu)
        return 0x7fffu;
    return (byte & 0x80u) << 8 | cass_f16_from_f32(cass_f16_to_f32(size << 7) * 256.0f);
}
__device__ inline unsigned cass_f16x2_from_e4m3x2(unsigned short bytes)
{
    return cass_f16_from_e4m3(bytes >> 8) << 16 | cass_f16_from_e4m3(bytes & 0xffu);
}
__device__ inline unsigned cass_f16_from_e5m2(unsigned byte)
{
    return (byte & 0x7fu) > 0x7cu ? 0x7fffu : byte << 8;
}
__device__ inline unsigned cass_f16x2_from_e5m2x2(unsigned short bytes)
{
    return cass_f16_from_e5m2(bytes >> 8) << 16 | cass_f16_from_e5m2(bytes & 0xffu);
}
