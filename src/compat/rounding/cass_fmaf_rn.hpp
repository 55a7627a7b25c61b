// name: cass_fmaf_rn
// provides: cass_fmaf_rn, cass_fma_rn
// replaces: __fmaf_rn, __fma_rn
// includes: cmath
// summary: Fused multiply-add rounded to nearest, single and double precision.
// source: CUDA Math API 13.0, single precision intrinsics
__host__ __device__ inline float cass_fmaf_rn(float a, float b, float c)
{
    return ::fmaf(a, b, c);
}
__host__ __device__ inline double cass_fma_rn(double a, double b, double c)
{
    return ::fma(a, b, c);
}
