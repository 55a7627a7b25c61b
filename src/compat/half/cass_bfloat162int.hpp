// name: cass_bfloat162int
// provides: cass_bfloat162short_rn, cass_bfloat162short_rd, cass_bfloat162short_ru, cass_bfloat162short_rz, cass_bfloat162int_rn, cass_bfloat162int_rd, cass_bfloat162int_ru, cass_bfloat162int_rz, cass_bfloat162ll_rn, cass_bfloat162ll_rd, cass_bfloat162ll_ru, cass_bfloat162ll_rz, cass_bfloat162ushort_rn, cass_bfloat162ushort_rd, cass_bfloat162ushort_ru, cass_bfloat162ushort_rz, cass_bfloat162uint_rn, cass_bfloat162uint_rd, cass_bfloat162uint_ru, cass_bfloat162uint_rz, cass_bfloat162ull_rn, cass_bfloat162ull_rd, cass_bfloat162ull_ru, cass_bfloat162ull_rz, cass_bfloat162char_rz, cass_bfloat162uchar_rz
// replaces: __bfloat162short_rn, __bfloat162short_rd, __bfloat162short_ru, __bfloat162short_rz, __bfloat162int_rn, __bfloat162int_rd, __bfloat162int_ru, __bfloat162int_rz, __bfloat162ll_rn, __bfloat162ll_rd, __bfloat162ll_ru, __bfloat162ll_rz, __bfloat162ushort_rn, __bfloat162ushort_rd, __bfloat162ushort_ru, __bfloat162ushort_rz, __bfloat162uint_rn, __bfloat162uint_rd, __bfloat162uint_ru, __bfloat162uint_rz, __bfloat162ull_rn, __bfloat162ull_rd, __bfloat162ull_ru, __bfloat162ull_rz, __bfloat162char_rz, __bfloat162uchar_rz
// includes: hip/hip_bf16.h, cmath
// summary: Bfloat16 to integers, rounded to nearest even (rn), down (rd), up (ru) or towards zero (rz), limited to their range.
// source: CUDA Math API 13.0, half and bfloat16 precision intrinsics

// Limits a whole float to the range of T.
template <typename CassT>
__host__ __device__ inline CassT cass_saturate_float(float value, CassT low, CassT high, CassT nan)
{
    if (value != value)
        return nan;
    if (value <= static_cast<float>(low))
        return low;
    // The float next to `high` may lie above it, so that equality counts as too large.
    return value >= static_cast<float>(high) ? high : static_cast<CassT>(value);
}
__host__ __device__ inline short cass_bfloat162short_rn(__hip_bfloat16 value)
{
    return cass_saturate_float<short>(::rintf(__bfloat162float(value)), short(-32768), short(32767), short(0));
}
__host__ __device__ inline short cass_bfloat162short_rd(__hip_bfloat16 value)
{
    return cass_saturate_float<short>(::floorf(__bfloat162float(value)), short(-32768), short(32767), short(0));
}
__host__ __device__ inline short cass_bfloat162short_ru(__hip_bfloat16 value)
{
    return cass_saturate_float<short>(::ceilf(__bfloat162float(value)), short(-32768), short(32767), short(0));
}
__host__ __device__ inline short cass_bfloat162short_rz(__hip_bfloat16 value)
{
    return cass_saturate_float<short>(::truncf(__bfloat162float(value)), short(-32768), short(32767), short(0));
}
__host__ __device__ inline int cass_bfloat162int_rn(__hip_bfloat16 value)
{
    return cass_saturate_float<int>(::rintf(__bfloat162float(value)), -2147483647 - 1, 2147483647, 0);
}
__host__ __device__ inline int cass_bfloat162int_rd(__hip_bfloat16 value)
{
    return cass_saturate_float<int>(::floorf(__bfloat162float(value)), -2147483647 - 1, 2147483647, 0);
}
__host__ __device__ inline int cass_bfloat162int_ru(__hip_bfloat16 value)
{
    return cass_saturate_float<int>(::ceilf(__bfloat162float(value)), -2147483647 - 1, 2147483647, 0);
}
__host__ __device__ inline int cass_bfloat162int_rz(__hip_bfloat16 value)
{
    return cass_saturate_float<int>(::truncf(__bfloat162float(value)), -2147483647 - 1, 2147483647, 0);
}
__host__ __device__ inline long long cass_bfloat162ll_rn(__hip_bfloat16 value)
{
    return cass_saturate_float<long long>(::rintf(__bfloat162float(value)), -9223372036854775807ll - 1, 9223372036854775807ll, -9223372036854775807ll - 1);
}
__host__ __device__ inline long long cass_bfloat162ll_rd(__hip_bfloat16 value)
{
    return cass_saturate_float<long long>(::floorf(__bfloat162float(value)), -9223372036854775807ll - 1, 9223372036854775807ll, -9223372036854775807ll - 1);
}
__host__ __device__ inline long long cass_bfloat162ll_ru(__hip_bfloat16 value)
{
    return cass_saturate_float<long long>(::ceilf(__bfloat162float(value)), -9223372036854775807ll - 1, 9223372036854775807ll, -9223372036854775807ll - 1);
}
__host__ __device__ inline long long cass_bfloat162ll_rz(__hip_bfloat16 value)
{
    return cass_saturate_float<long long>(::truncf(__bfloat162float(value)), -9223372036854775807ll - 1, 9223372036854775807ll, -9223372036854775807ll - 1);
}
__host__ __device__ inline unsigned short cass_bfloat162ushort_rn(__hip_bfloat16 value)
{
    return cass_saturate_float<unsigned short>(::rintf(__bfloat162float(value)), (unsigned short)0, (unsigned short)65535, (unsigned short)0);
}
__host__ __device__ inline unsigned short cass_bfloat162ushort_rd(__hip_bfloat16 value)
{
    return cass_saturate_float<unsigned short>(::floorf(__bfloat162float(value)), (unsigned short)0, (unsigned short)65535, (unsigned short)0);
}
__host__ __device__ inline unsigned short cass_bfloat162ushort_ru(__hip_bfloat16 value)
{
    return cass_saturate_float<unsigned short>(::ceilf(__bfloat162float(value)), (unsigned short)0, (unsigned short)65535, (unsigned short)0);
}
__host__ __device__ inline unsigned short cass_bfloat162ushort_rz(__hip_bfloat16 value)
{
    return cass_saturate_float<unsigned short>(::truncf(__bfloat162float(value)), (unsigned short)0, (unsigned short)65535, (unsigned short)0);
}
__host__ __device__ inline unsigned int cass_bfloat162uint_rn(__hip_bfloat16 value)
{
    return cass_saturate_float<unsigned int>(::rintf(__bfloat162float(value)), 0u, 4294967295u, 0u);
}
__host__ __device__ inline unsigned int cass_bfloat162uint_rd(__hip_bfloat16 value)
{
    return cass_saturate_float<unsigned int>(::floorf(__bfloat162float(value)), 0u, 4294967295u, 0u);
}
__host__ __device__ inline unsigned int cass_bfloat162uint_ru(__hip_bfloat16 value)
{
    return cass_saturate_float<unsigned int>(::ceilf(__bfloat162float(value)), 0u, 4294967295u, 0u);
}
__host__ __device__ inline unsigned int cass_bfloat162uint_rz(__hip_bfloat16 value)
{
    return cass_saturate_float<unsigned int>(::truncf(__bfloat162float(value)), 0u, 4294967295u, 0u);
}
__host__ __device__ inline unsigned long long cass_bfloat162ull_rn(__hip_bfloat16 value)
{
    return cass_saturate_float<unsigned long long>(::rintf(__bfloat162float(value)), 0ull, 18446744073709551615ull, 9223372036854775808ull);
}
__host__ __device__ inline unsigned long long cass_bfloat162ull_rd(__hip_bfloat16 value)
{
    return cass_saturate_float<unsigned long long>(::floorf(__bfloat162float(value)), 0ull, 18446744073709551615ull, 9223372036854775808ull);
}
__host__ __device__ inline unsigned long long cass_bfloat162ull_ru(__hip_bfloat16 value)
{
    return cass_saturate_float<unsigned long long>(::ceilf(__bfloat162float(value)), 0ull, 18446744073709551615ull, 9223372036854775808ull);
}
__host__ __device__ inline unsigned long long cass_bfloat162ull_rz(__hip_bfloat16 value)
{
    return cass_saturate_float<unsigned long long>(::truncf(__bfloat162float(value)), 0ull, 18446744073709551615ull, 9223372036854775808ull);
}
__host__ __device__ inline signed char cass_bfloat162char_rz(__hip_bfloat16 value)
{
    return cass_saturate_float<signed char>(::truncf(__bfloat162float(value)), (signed char)-128, (signed char)127, (signed char)0);
}
__host__ __device__ inline unsigned char cass_bfloat162uchar_rz(__hip_bfloat16 value)
{
    return cass_saturate_float<unsigned char>(::truncf(__bfloat162float(value)), (unsigned char)0, (unsigned char)255, (unsigned char)0);
}
