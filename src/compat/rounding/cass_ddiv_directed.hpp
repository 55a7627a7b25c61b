// name: cass_ddiv_directed
// provides: cass_ddiv_rd, cass_ddiv_ru, cass_ddiv_rz, cass_drcp_rd, cass_drcp_ru, cass_drcp_rz
// replaces: __ddiv_rd, __ddiv_ru, __ddiv_rz, __drcp_rd, __drcp_ru, __drcp_rz
// requires: cass_f64_directed
// summary: Quotient and reciprocal rounded down (rd), up (ru) and towards zero (rz), exactly.
// source: CUDA Math API 13.0, double precision intrinsics
__host__ __device__ inline double cass_ddiv_rd(double a, double b)
{
    return cass_f64_div_directed<-1>(a, b);
}
__host__ __device__ inline double cass_ddiv_ru(double a, double b)
{
    return cass_f64_div_directed<1>(a, b);
}
__host__ __device__ inline double cass_ddiv_rz(double a, double b)
{
    return cass_f64_div_directed<0>(a, b);
}
__host__ __device__ inline double cass_drcp_rd(double x)
{
    return cass_f64_div_directed<-1>(1.0, x);
}
__host__ __device__ inline double cass_drcp_ru(double x)
{
    return cass_f64_div_directed<1>(1.0, x);
}
__host__ __device__ inline double cass_drcp_rz(double x)
{
    return cass_f64_div_directed<0>(1.0, x);
}
