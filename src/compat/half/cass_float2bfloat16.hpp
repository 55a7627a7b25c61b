// name: cass_float2bfloat16
// provides: cass_float2bfloat16_rn, cass_float2bfloat16_rd, cass_float2bfloat16_ru, cass_float2bfloat16_rz
// replaces: __float2bfloat16_rn, __float2bfloat16_rd, __float2bfloat16_ru, __float2bfloat16_rz
// includes: hip/hip_bf16.h
// summary: Float to bfloat16 rounded to nearest even (rn), down (rd), up (ru) or towards zero (rz).
// source: CUDA Math API 13.0, half and bfloat16 precision intrinsics
__host__ __device__ inline __hip_bfloat16 cass_bfloat16_from_bits(unsigned bits)
{
    unsigned short half = static_cast<unsigned short>(bits);
    __hip_bfloat16 result;
    __builtin_memcpy(static_cast<void*>(&result), &half, sizeof(result));
    return result;
}

// Upper half of the float, moved away from zero if the direction and the bits that are lost ask for it.
template <int CassToward>
__host__ __device__ inline __hip_bfloat16 cass_bfloat16_directed(float value)
{
    unsigned bits;
    __builtin_memcpy(&bits, &value, sizeof(bits));
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return cass_bfloat16_from_bits(0x7fffu);
    bool away = CassToward != 0 && (CassToward < 0) == (bits >> 31 != 0) && (bits & 0xffffu) != 0;
    return cass_bfloat16_from_bits((bits >> 16) + away);
}
__host__ __device__ inline __hip_bfloat16 cass_float2bfloat16_rn(float value)
{
    unsigned bits;
    __builtin_memcpy(&bits, &value, sizeof(bits));
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return cass_bfloat16_from_bits(0x7fffu);
    return cass_bfloat16_from_bits((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
__host__ __device__ inline __hip_bfloat16 cass_float2bfloat16_rd(float value) { return cass_bfloat16_directed<-1>(value); }
__host__ __device__ inline __hip_bfloat16 cass_float2bfloat16_ru(float value) { return cass_bfloat16_directed<1>(value); }
__host__ __device__ inline __hip_bfloat16 cass_float2bfloat16_rz(float value) { return cass_bfloat16_directed<0>(value); }
