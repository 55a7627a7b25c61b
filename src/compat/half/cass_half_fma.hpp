// name: cass_half_fma
// provides: cass_half_fma
// replaces:
// requires: cass_bf16_bits
// includes: hip/hip_bf16.h, hip/hip_fp16.h
// summary: Fused multiply-add of half and bfloat16 numbers and pairs, rounded once: HIP's own of bfloat16 rounds to float before.
// source: CUDA Math API 13.0, half and bfloat16 precision intrinsics
__device__ inline __half cass_half_fma(__half a, __half b, __half c)
{
    return __hfma(a, b, c);
}
__device__ inline __half2 cass_half_fma(__half2 a, __half2 b, __half2 c)
{
    return __hfma2(a, b, c);
}
// One number or two, by their bits.
template <typename CassB>
__device__ inline CassB cass_half_fma(CassB a, CassB b, CassB c)
{
    unsigned x = 0, y = 0, z = 0;
    __builtin_memcpy(&x, static_cast<const void*>(&a), sizeof(CassB));
    __builtin_memcpy(&y, static_cast<const void*>(&b), sizeof(CassB));
    __builtin_memcpy(&z, static_cast<const void*>(&c), sizeof(CassB));
    x = cass_bf16x2_fma(x, y, z);
    __builtin_memcpy(static_cast<void*>(&a), &x, sizeof(CassB));
    return a;
}
