// name: cass_fma_directed
// provides: cass_fma_rd, cass_fma_ru, cass_fma_rz
// replaces: __fma_rd, __fma_ru, __fma_rz
// requires: cass_f64_directed
// summary: Fused multiply-add rounded down (rd), up (ru) and towards zero (rz), exactly.
// source: CUDA Math API 13.0, double precision intrinsics
__host__ __device__ inline double cass_fma_rd(double a, double b, double c)
{
    return cass_f64_fma_directed<-1>(a, b, c);
}
__host__ __device__ inline double cass_fma_ru(double a, double b, double c)
{
    return cass_f64_fma_directed<1>(a, b, c);
}
__host__ __device__ inline double cass_fma_rz(double a, double b, double c)
{
    return cass_f64_fma_directed<0>(a, b, c);
}
