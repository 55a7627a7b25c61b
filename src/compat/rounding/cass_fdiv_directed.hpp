// name: cass_fdiv_directed
// provides: cass_fdiv_rd, cass_fdiv_ru, cass_fdiv_rz, cass_frcp_rd, cass_frcp_ru, cass_frcp_rz
// replaces: __fdiv_rd, __fdiv_ru, __fdiv_rz, __frcp_rd, __frcp_ru, __frcp_rz
// requires: cass_f32_directed
// summary: Quotient and reciprocal rounded down (rd), up (ru) and towards zero (rz), exactly.
// source: CUDA Math API 13.0, single precision intrinsics
__host__ __device__ inline float cass_fdiv_rd(float a, float b)
{
    return cass_f32_div_directed<-1>(a, b);
}
__host__ __device__ inline float cass_fdiv_ru(float a, float b)
{
    return cass_f32_div_directed<1>(a, b);
}
__host__ __device__ inline float cass_fdiv_rz(float a, float b)
{
    return cass_f32_div_directed<0>(a, b);
}
__host__ __device__ inline float cass_frcp_rd(float x)
{
    return cass_f32_div_directed<-1>(1.0f, x);
}
__host__ __device__ inline float cass_frcp_ru(float x)
{
    return cass_f32_div_directed<1>(1.0f, x);
}
__host__ __device__ inline float cass_frcp_rz(float x)
{
    return cass_f32_div_directed<0>(1.0f, x);
}
