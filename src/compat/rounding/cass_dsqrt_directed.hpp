// name: cass_dsqrt_directed
// provides: cass_dsqrt_rd, cass_dsqrt_ru, cass_dsqrt_rz
// replaces: __dsqrt_rd, __dsqrt_ru, __dsqrt_rz
// requires: cass_f64_directed
// summary: Square root rounded down (rd), up (ru) and towards zero (rz), exactly.
// source: CUDA Math API 13.0, double precision intrinsics
__host__ __device__ inline double cass_dsqrt_rd(double x)
{
    return cass_f64_sqrt_directed<-1>(x);
}
__host__ __device__ inline double cass_dsqrt_ru(double x)
{
    return cass_f64_sqrt_directed<1>(x);
}
__host__ __device__ inline double cass_dsqrt_rz(double x)
{
    return cass_f64_sqrt_directed<0>(x);
}
