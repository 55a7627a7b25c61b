// name: cass_fsqrt_directed
// provides: cass_fsqrt_rd, cass_fsqrt_ru, cass_fsqrt_rz
// replaces: __fsqrt_rd, __fsqrt_ru, __fsqrt_rz
// requires: cass_f32_directed
// summary: Square root rounded down (rd), up (ru) and towards zero (rz), exactly.
// source: CUDA Math API 13.0, single precision intrinsics
__host__ __device__ inline float cass_fsqrt_rd(float x)
{
    return cass_f32_sqrt_directed<-1>(x);
}
__host__ __device__ inline float cass_fsqrt_ru(float x)
{
    return cass_f32_sqrt_directed<1>(x);
}
__host__ __device__ inline float cass_fsqrt_rz(float x)
{
    return cass_f32_sqrt_directed<0>(x);
}
