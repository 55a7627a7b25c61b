// name: cass_fmul_directed
// provides: cass_fmul_rd, cass_fmul_ru, cass_fmul_rz
// replaces: __fmul_rd, __fmul_ru, __fmul_rz
// requires: cass_f32_directed
// summary: Product rounded down (rd), up (ru) and towards zero (rz), exactly.
// source: CUDA Math API 13.0, single precision intrinsics
__host__ __device__ inline float cass_fmul_rd(float a, float b)
{
    return cass_f32_mul_directed<-1>(a, b);
}
__host__ __device__ inline float cass_fmul_ru(float a, float b)
{
    return cass_f32_mul_directed<1>(a, b);
}
__host__ __device__ inline float cass_fmul_rz(float a, float b)
{
    return cass_f32_mul_directed<0>(a, b);
}
