// name: cass_dadd_directed
// provides: cass_dadd_rd, cass_dadd_ru, cass_dadd_rz, cass_dsub_rd, cass_dsub_ru, cass_dsub_rz
// replaces: __dadd_rd, __dadd_ru, __dadd_rz, __dsub_rd, __dsub_ru, __dsub_rz
// requires: cass_f64_directed
// summary: Sum and difference rounded down (rd), up (ru) and towards zero (rz), exactly.
// source: CUDA Math API 13.0, double precision intrinsics
__host__ __device__ inline double cass_dadd_rd(double a, double b)
{
    return cass_f64_fma_directed<-1>(a, 1.0, b);
}
__host__ __device__ inline double cass_dadd_ru(double a, double b)
{
    return cass_f64_fma_directed<1>(a, 1.0, b);
}
__host__ __device__ inline double cass_dadd_rz(double a, double b)
{
    return cass_f64_fma_directed<0>(a, 1.0, b);
}
__host__ __device__ inline double cass_dsub_rd(double a, double b)
{
    return cass_f64_fma_directed<-1>(a, 1.0, -b);
}
__host__ __device__ inline double cass_dsub_ru(double a, double b)
{
    return cass_f64_fma_directed<1>(a, 1.0, -b);
}
__host__ __device__ inline double cass_dsub_rz(double a, double b)
{
    return cass_f64_fma_directed<0>(a, 1.0, -b);
}
