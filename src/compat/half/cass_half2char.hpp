// name: cass_half2char
// provides: cass_half2char_rz, cass_half2uchar_rz
// replaces: __half2char_rz, __half2uchar_rz
// includes: hip/hip_fp16.h
// summary: Half to 8-bit integers, rounded towards zero and limited to their range; a NaN gives 0.
// source: CUDA Math API 13.0, half and bfloat16 precision intrinsics
__host__ __device__ inline signed char cass_half2char_rz(__half value)
{
    float x = __half2float(value);
    return static_cast<signed char>(x != x ? 0.0f : x < -128.0f ? -128.0f : x > 127.0f ? 127.0f : x);
}
__host__ __device__ inline unsigned char cass_half2uchar_rz(__half value)
{
    float x = __half2float(value);
    return static_cast<unsigned char>(!(x > 0.0f) ? 0.0f : x > 255.0f ? 255.0f : x);
}
