// name: cass_frsqrt_rn
// provides: cass_frsqrt_rn
// replaces: __frsqrt_rn
// includes: cmath
// summary: Reciprocal square root rounded to nearest, by way of double precision.
// source: CUDA Math API 13.0, single precision intrinsics
__host__ __device__ inline float cass_frsqrt_rn(float x)
{
    return static_cast<float>(1.0 / ::sqrt(static_cast<double>(x)));
}
