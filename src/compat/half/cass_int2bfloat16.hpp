// name: cass_int2bfloat16
// provides: cass_short2bfloat16_rn, cass_short2bfloat16_rd, cass_short2bfloat16_ru, cass_short2bfloat16_rz, cass_int2bfloat16_rn, cass_int2bfloat16_rd, cass_int2bfloat16_ru, cass_int2bfloat16_rz, cass_ll2bfloat16_rn, cass_ll2bfloat16_rd, cass_ll2bfloat16_ru, cass_ll2bfloat16_rz, cass_ushort2bfloat16_rn, cass_ushort2bfloat16_rd, cass_ushort2bfloat16_ru, cass_ushort2bfloat16_rz, cass_uint2bfloat16_rn, cass_uint2bfloat16_rd, cass_uint2bfloat16_ru, cass_uint2bfloat16_rz, cass_ull2bfloat16_rn, cass_ull2bfloat16_rd, cass_ull2bfloat16_ru, cass_ull2bfloat16_rz
// replaces: __short2bfloat16_rn, __short2bfloat16_rd, __short2bfloat16_ru, __short2bfloat16_rz, __int2bfloat16_rn, __int2bfloat16_rd, __int2bfloat16_ru, __int2bfloat16_rz, __ll2bfloat16_rn, __ll2bfloat16_rd, __ll2bfloat16_ru, __ll2bfloat16_rz, __ushort2bfloat16_rn, __ushort2bfloat16_rd, __ushort2bfloat16_ru, __ushort2bfloat16_rz, __uint2bfloat16_rn, __uint2bfloat16_rd, __uint2bfloat16_ru, __uint2bfloat16_rz, __ull2bfloat16_rn, __ull2bfloat16_rd, __ull2bfloat16_ru, __ull2bfloat16_rz
// requires: cass_float2bfloat16
// includes: hip/hip_bf16.h
// summary: Integers to bfloat16, rounded once: to nearest even (rn), down (rd), up (ru) or towards zero (rz).
// source: CUDA Math API 13.0, half and bfloat16 precision intrinsics

// The magnitude as a float of 24 bits whose last bit also stands for all bits that are lost: rounding it again is exact.
template <int CassToward, bool CassNearest>
__host__ __device__ inline __hip_bfloat16 cass_bfloat16_from_integer(bool negative, unsigned long long magnitude)
{
    unsigned shift = 0;
    while (magnitude >> shift >= 1ull << 24)
        ++shift;
    bool lost = (magnitude & ((1ull << shift) - 1)) != 0;
    float value = static_cast<float>(magnitude >> shift | lost) * static_cast<float>(1ull << shift);
    value = negative ? -value : value;
    return CassNearest ? cass_float2bfloat16_rn(value) : cass_bfloat16_directed<CassToward>(value);
}
__host__ __device__ inline __hip_bfloat16 cass_short2bfloat16_rn(short value)
{
    return cass_bfloat16_from_integer<0, true>(value < 0, static_cast<unsigned long long>(value < 0 ? -static_cast<long long>(value) : value));
}
__host__ __device__ inline __hip_bfloat16 cass_short2bfloat16_rd(short value)
{
    return cass_bfloat16_from_integer<-1, false>(value < 0, static_cast<unsigned long long>(value < 0 ? -static_cast<long long>(value) : value));
}
__host__ __device__ inline __hip_bfloat16 cass_short2bfloat16_ru(short value)
{
    return cass_bfloat16_from_integer<1, false>(value < 0, static_cast<unsigned long long>(value < 0 ? -static_cast<long long>(value) : value));
}
__host__ __device__ inline __hip_bfloat16 cass_short2bfloat16_rz(short value)
{
    return cass_bfloat16_from_integer<0, false>(value < 0, static_cast<unsigned long long>(value < 0 ? -static_cast<long long>(value) : value));
}
__host__ __device__ inline __hip_bfloat16 cass_int2bfloat16_rn(int value)
{
    return cass_bfloat16_from_integer<0, true>(value < 0, static_cast<unsigned long long>(value < 0 ? -static_cast<long long>(value) : value));
}
__host__ __device__ inline __hip_bfloat16 cass_int2bfloat16_rd(int value)
{
    return cass_bfloat16_from_integer<-1, false>(value < 0, static_cast<unsigned long long>(value < 0 ? -static_cast<long long>(value) : value));
}
__host__ __device__ inline __hip_bfloat16 cass_int2bfloat16_ru(int value)
{
    return cass_bfloat16_from_integer<1, false>(value < 0, static_cast<unsigned long long>(value < 0 ? -static_cast<long long>(value) : value));
}
__host__ __device__ inline __hip_bfloat16 cass_int2bfloat16_rz(int value)
{
    return cass_bfloat16_from_integer<0, false>(value < 0, static_cast<unsigned long long>(value < 0 ? -static_cast<long long>(value) : value));
}
__host__ __device__ inline __hip_bfloat16 cass_ll2bfloat16_rn(long long value)
{
    return cass_bfloat16_from_integer<0, true>(value < 0, value < 0 ? 0 - static_cast<unsigned long long>(value) : static_cast<unsigned long long>(value));
}
__host__ __device__ inline __hip_bfloat16 cass_ll2bfloat16_rd(long long value)
{
    return cass_bfloat16_from_integer<-1, false>(value < 0, value < 0 ? 0 - static_cast<unsigned long long>(value) : static_cast<unsigned long long>(value));
}
__host__ __device__ inline __hip_bfloat16 cass_ll2bfloat16_ru(long long value)
{
    return cass_bfloat16_from_integer<1, false>(value < 0, value < 0 ? 0 - static_cast<unsigned long long>(value) : static_cast<unsigned long long>(value));
}
__host__ __device__ inline __hip_bfloat16 cass_ll2bfloat16_rz(long long value)
{
    return cass_bfloat16_from_integer<0, false>(value < 0, value < 0 ? 0 - static_cast<unsigned long long>(value) : static_cast<unsigned long long>(value));
}
__host__ __device__ inline __hip_bfloat16 cass_ushort2bfloat16_rn(unsigned short value)
{
    return cass_bfloat16_from_integer<0, true>(false, value);
}
__host__ __device__ inline __hip_bfloat16 cass_ushort2bfloat16_rd(unsigned short value)
{
    return cass_bfloat16_from_integer<-1, false>(false, value);
}
__host__ __device__ inline __hip_bfloat16 cass_ushort2bfloat16_ru(unsigned short value)
{
    return cass_bfloat16_from_integer<1, false>(false, value);
}
__host__ __device__ inline __hip_bfloat16 cass_ushort2bfloat16_rz(unsigned short value)
{
    return cass_bfloat16_from_integer<0, false>(false, value);
}
__host__ __device__ inline __hip_bfloat16 cass_uint2bfloat16_rn(unsigned int value)
{
    return cass_bfloat16_from_integer<0, true>(false, value);
}
__host__ __device__ inline __hip_bfloat16 cass_uint2bfloat16_rd(unsigned int value)
{
    return cass_bfloat16_from_integer<-1, false>(false, value);
}
__host__ __device__ inline __hip_bfloat16 cass_uint2bfloat16_ru(unsigned int value)
{
    return cass_bfloat16_from_integer<1, false>(false, value);
}
__host__ __device__ inline __hip_bfloat16 cass_uint2bfloat16_rz(unsigned int value)
{
    return cass_bfloat16_from_integer<0, false>(false, value);
}
__host__ __device__ inline __hip_bfloat16 cass_ull2bfloat16_rn(unsigned long long value)
{
    return cass_bfloat16_from_integer<0, true>(false, value);
}
__host__ __device__ inline __hip_bfloat16 cass_ull2bfloat16_rd(unsigned long long value)
{
    return cass_bfloat16_from_integer<-1, false>(false, value);
}
__host__ __device__ inline __hip_bfloat16 cass_ull2bfloat16_ru(unsigned long long value)
{
    return cass_bfloat16_from_integer<1, false>(false, value);
}
__host__ __device__ inline __hip_bfloat16 cass_ull2bfloat16_rz(unsigned long long value)
{
    return cass_bfloat16_from_integer<0, false>(false, value);
}
