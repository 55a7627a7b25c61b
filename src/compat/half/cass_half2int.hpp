// name: cass_half2int
// provides: cass_half2short_rn, cass_half2short_rd, cass_half2short_ru, cass_half2short_rz, cass_half2int_rn, cass_half2int_rd, cass_half2int_ru, cass_half2int_rz, cass_half2ll_rn, cass_half2ll_rd, cass_half2ll_ru, cass_half2ll_rz, cass_half2ushort_rn, cass_half2ushort_rd, cass_half2ushort_ru, cass_half2ushort_rz, cass_half2uint_rn, cass_half2uint_rd, cass_half2uint_ru, cass_half2uint_rz, cass_half2ull_rn, cass_half2ull_rd, cass_half2ull_ru, cass_half2ull_rz
// replaces: __half2short_rn, __half2short_rd, __half2short_ru, __half2short_rz, __half2int_rn, __half2int_rd, __half2int_ru, __half2int_rz, __half2ll_rn, __half2ll_rd, __half2ll_ru, __half2ll_rz, __half2ushort_rn, __half2ushort_rd, __half2ushort_ru, __half2ushort_rz, __half2uint_rn, __half2uint_rd, __half2uint_ru, __half2uint_rz, __half2ull_rn, __half2ull_rd, __half2ull_ru, __half2ull_rz
// includes: hip/hip_fp16.h, cmath
// summary: Half to integers, rounded to nearest even (rn), down (rd), up (ru) or towards zero (rz), limited to their range.
// source: CUDA Math API 13.0, half precision conversions; amd_hip_fp16.h of ROCm 6.4, whose functions all truncate

// Limits a whole float to the range of T.
template <typename CassValue>
__host__ __device__ inline CassValue cass_limit_half(float value, CassValue low, CassValue high, CassValue nan)
{
    if (value != value)
        return nan;
    // A half is below 65520 or infinite: wider types need the limits for infinities alone.
    if (value <= static_cast<float>(low))
        return low;
    return value >= static_cast<float>(high) ? high : static_cast<CassValue>(value);
}
__host__ __device__ inline short cass_half2short_rn(__half value)
{
    return cass_limit_half<short>(::rintf(__half2float(value)), short(-32768), short(32767), short(0));
}
__host__ __device__ inline short cass_half2short_rd(__half value)
{
    return cass_limit_half<short>(::floorf(__half2float(value)), short(-32768), short(32767), short(0));
}
__host__ __device__ inline short cass_half2short_ru(__half value)
{
    return cass_limit_half<short>(::ceilf(__half2float(value)), short(-32768), short(32767), short(0));
}
__host__ __device__ inline short cass_half2short_rz(__half value)
{
    return cass_limit_half<short>(::truncf(__half2float(value)), short(-32768), short(32767), short(0));
}
__host__ __device__ inline int cass_half2int_rn(__half value)
{
    return cass_limit_half<int>(::rintf(__half2float(value)), -2147483647 - 1, 2147483647, 0);
}
__host__ __device__ inline int cass_half2int_rd(__half value)
{
    return cass_limit_half<int>(::floorf(__half2float(value)), -2147483647 - 1, 2147483647, 0);
}
__host__ __device__ inline int cass_half2int_ru(__half value)
{
    return cass_limit_half<int>(::ceilf(__half2float(value)), -2147483647 - 1, 2147483647, 0);
}
__host__ __device__ inline int cass_half2int_rz(__half value)
{
    return cass_limit_half<int>(::truncf(__half2float(value)), -2147483647 - 1, 2147483647, 0);
}
__host__ __device__ inline long long cass_half2ll_rn(__half value)
{
    return cass_limit_half<long long>(::rintf(__half2float(value)), -9223372036854775807ll - 1, 9223372036854775807ll, -9223372036854775807ll - 1);
}
__host__ __device__ inline long long cass_half2ll_rd(__half value)
{
    return cass_limit_half<long long>(::floorf(__half2float(value)), -9223372036854775807ll - 1, 9223372036854775807ll, -9223372036854775807ll - 1);
}
__host__ __device__ inline long long cass_half2ll_ru(__half value)
{
    return cass_limit_half<long long>(::ceilf(__half2float(value)), -9223372036854775807ll - 1, 9223372036854775807ll, -9223372036854775807ll - 1);
}
__host__ __device__ inline long long cass_half2ll_rz(__half value)
{
    return cass_limit_half<long long>(::truncf(__half2float(value)), -9223372036854775807ll - 1, 9223372036854775807ll, -9223372036854775807ll - 1);
}
__host__ __device__ inline unsigned short cass_half2ushort_rn(__half value)
{
    return cass_limit_half<unsigned short>(::rintf(__half2float(value)), static_cast<unsigned short>(0), static_cast<unsigned short>(65535), static_cast<unsigned short>(0));
}
__host__ __device__ inline unsigned short cass_half2ushort_rd(__half value)
{
    return cass_limit_half<unsigned short>(::floorf(__half2float(value)), static_cast<unsigned short>(0), static_cast<unsigned short>(65535), static_cast<unsigned short>(0));
}
__host__ __device__ inline unsigned short cass_half2ushort_ru(__half value)
{
    return cass_limit_half<unsigned short>(::ceilf(__half2float(value)), static_cast<unsigned short>(0), static_cast<unsigned short>(65535), static_cast<unsigned short>(0));
}
__host__ __device__ inline unsigned short cass_half2ushort_rz(__half value)
{
    return cass_limit_half<unsigned short>(::truncf(__half2float(value)), static_cast<unsigned short>(0), static_cast<unsigned short>(65535), static_cast<unsigned short>(0));
}
__host__ __device__ inline unsigned cass_half2uint_rn(__half value)
{
    return cass_limit_half<unsigned>(::rintf(__half2float(value)), 0u, 4294967295u, 0u);
}
__host__ __device__ inline unsigned cass_half2uint_rd(__half value)
{
    return cass_limit_half<unsigned>(::floorf(__half2float(value)), 0u, 4294967295u, 0u);
}
__host__ __device__ inline unsigned cass_half2uint_ru(__half value)
{
    return cass_limit_half<unsigned>(::ceilf(__half2float(value)), 0u, 4294967295u, 0u);
}
__host__ __device__ inline unsigned cass_half2uint_rz(__half value)
{
    return cass_limit_half<unsigned>(::truncf(__half2float(value)), 0u, 4294967295u, 0u);
}
__host__ __device__ inline unsigned long long cass_half2ull_rn(__half value)
{
    return cass_limit_half<unsigned long long>(::rintf(__half2float(value)), 0ull, 18446744073709551615ull, 9223372036854775808ull);
}
__host__ __device__ inline unsigned long long cass_half2ull_rd(__half value)
{
    return cass_limit_half<unsigned long long>(::floorf(__half2float(value)), 0ull, 18446744073709551615ull, 9223372036854775808ull);
}
__host__ __device__ inline unsigned long long cass_half2ull_ru(__half value)
{
    return cass_limit_half<unsigned long long>(::ceilf(__half2float(value)), 0ull, 18446744073709551615ull, 9223372036854775808ull);
}
__host__ __device__ inline unsigned long long cass_half2ull_rz(__half value)
{
    return cass_limit_half<unsigned long long>(::truncf(__half2float(value)), 0ull, 18446744073709551615ull, 9223372036854775808ull);
}
