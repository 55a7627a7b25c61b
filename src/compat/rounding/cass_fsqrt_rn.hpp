// name: cass_fsqrt_rn
// provides: cass_fsqrt_rn, cass_dsqrt_rn
// replaces: __fsqrt_rn, __dsqrt_rn
// includes: cmath
// summary: Square root rounded to nearest; HIP's own single precision form is the approximate instruction in older headers.
// source: CUDA Math API 13.0, single precision intrinsics
__host__ __device__ inline float cass_fsqrt_rn(float x)
{
    return ::sqrtf(x);
}
__host__ __device__ inline double cass_dsqrt_rn(double x)
{
    return ::sqrt(x);
}
