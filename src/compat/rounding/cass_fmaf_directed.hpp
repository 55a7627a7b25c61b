// name: cass_fmaf_directed
// provides: cass_fmaf_rd, cass_fmaf_ru, cass_fmaf_rz
// replaces: __fmaf_rd, __fmaf_ru, __fmaf_rz
// requires: cass_f32_directed
// summary: Fused multiply-add rounded down (rd), up (ru) and towards zero (rz), exactly.
// source: CUDA Math API 13.0, single precision intrinsics
__host__ __device__ inline float cass_fmaf_rd(float a, float b, float c)
{
    return cass_f32_fma_directed<-1>(a, b, c);
}
__host__ __device__ inline float cass_fmaf_ru(float a, float b, float c)
{
    return cass_f32_fma_directed<1>(a, b, c);
}
__host__ __device__ inline float cass_fmaf_rz(float a, float b, float c)
{
    return cass_f32_fma_directed<0>(a, b, c);
}
