// name: cass_floats2bfloat162
// provides: cass_floats2bfloat162_rn, cass_float2bfloat162_rn, cass_make_bfloat162
// replaces: __floats2bfloat162_rn, __float2bfloat162_rn, make_bfloat162
// requires: cass_float2bfloat16
// includes: hip/hip_bf16.h
// summary: Pairs of bfloat16 numbers from floats, rounded to nearest even, and from two numbers.
// source: CUDA Math API 13.0, half and bfloat16 precision intrinsics
__host__ __device__ inline __hip_bfloat162 cass_floats2bfloat162_rn(float low, float high)
{
    return __hip_bfloat162(cass_float2bfloat16_rn(low), cass_float2bfloat16_rn(high));
}
__host__ __device__ inline __hip_bfloat162 cass_float2bfloat162_rn(float value)
{
    return cass_floats2bfloat162_rn(value, value);
}
__host__ __device__ inline __hip_bfloat162 cass_make_bfloat162(__hip_bfloat16 low, __hip_bfloat16 high)
{
    return __hip_bfloat162(low, high);
}
