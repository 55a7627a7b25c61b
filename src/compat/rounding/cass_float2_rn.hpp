// name: cass_float2_rn
// provides: cass_fadd2_rn, cass_fmul2_rn, cass_ffma2_rn
// replaces: __fadd2_rn, __fmul2_rn, __ffma2_rn
// requires: cass_fadd_rn, cass_fmul_rn, cass_fmaf_rn
// summary: Arithmetic on the two floats of a float2, each rounded to nearest; gfx90a and later have packed instructions.
// source: CUDA Math API 13.0, single precision intrinsics (__fadd2_rn, __fmul2_rn, __ffma2_rn)
__host__ __device__ inline float2 cass_fadd2_rn(float2 a, float2 b)
{
    return make_float2(cass_fadd_rn(a.x, b.x), cass_fadd_rn(a.y, b.y));
}
__host__ __device__ inline float2 cass_fmul2_rn(float2 a, float2 b)
{
    return make_float2(cass_fmul_rn(a.x, b.x), cass_fmul_rn(a.y, b.y));
}
__host__ __device__ inline float2 cass_ffma2_rn(float2 a, float2 b, float2 c)
{
    return make_float2(cass_fmaf_rn(a.x, b.x, c.x), cass_fmaf_rn(a.y, b.y, c.y));
}
