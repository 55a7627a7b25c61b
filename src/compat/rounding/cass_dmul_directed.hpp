// name: cass_dmul_directed
// provides: cass_dmul_rd, cass_dmul_ru, cass_dmul_rz
// replaces: __dmul_rd, __dmul_ru, __dmul_rz
// requires: cass_f64_directed
// summary: Product rounded down (rd), up (ru) and towards zero (rz), exactly.
// source: CUDA Math API 13.0, double precision intrinsics
__host__ __device__ inline double cass_dmul_rd(double a, double b)
{
    return cass_f64_mul_directed<-1>(a, b);
}
__host__ __device__ inline double cass_dmul_ru(double a, double b)
{
    return cass_f64_mul_directed<1>(a, b);
}
__host__ __device__ inline double cass_dmul_rz(double a, double b)
{
    return cass_f64_mul_directed<0>(a, b);
}
