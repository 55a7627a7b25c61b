// name: cass_fadd_directed
// provides: cass_fadd_rd, cass_fadd_ru, cass_fadd_rz, cass_fsub_rd, cass_fsub_ru, cass_fsub_rz
// replaces: __fadd_rd, __fadd_ru, __fadd_rz, __fsub_rd, __fsub_ru, __fsub_rz
// requires: cass_f32_directed
// summary: Sum and difference rounded down (rd), up (ru) and towards zero (rz), exactly.
// source: CUDA Math API 13.0, single precision intrinsics
__host__ __device__ inline float cass_fadd_rd(float a, float b)
{
    return cass_f32_fma_directed<-1>(a, 1.0f, b);
}
__host__ __device__ inline float cass_fadd_ru(float a, float b)
{
    return cass_f32_fma_directed<1>(a, 1.0f, b);
}
__host__ __device__ inline float cass_fadd_rz(float a, float b)
{
    return cass_f32_fma_directed<0>(a, 1.0f, b);
}
__host__ __device__ inline float cass_fsub_rd(float a, float b)
{
    return cass_f32_fma_directed<-1>(a, 1.0f, -b);
}
__host__ __device__ inline float cass_fsub_ru(float a, float b)
{
    return cass_f32_fma_directed<1>(a, 1.0f, -b);
}
__host__ __device__ inline float cass_fsub_rz(float a, float b)
{
    return cass_f32_fma_directed<0>(a, 1.0f, -b);
}
