// name: cass_half_rn
// provides: cass_hadd_rn, cass_hadd2_rn, cass_hsub_rn, cass_hsub2_rn, cass_hmul_rn, cass_hmul2_rn
// replaces: __hadd_rn, __hadd2_rn, __hsub_rn, __hsub2_rn, __hmul_rn, __hmul2_rn
// requires: cass_opaque
// includes: hip/hip_bf16.h, hip/hip_fp16.h
// summary: Sum, difference and product of half and bfloat16 numbers and pairs that never become part of a fused multiply-add.
// source: CUDA Math API 13.0, half and bfloat16 precision intrinsics

// Keeps the optimizer from merging the operation that made this value with the one that uses it.
template <typename CassH>
__host__ __device__ inline CassH cass_half_opaque(CassH value)
{
    unsigned bits = 0;
    __builtin_memcpy(&bits, static_cast<const void*>(&value), sizeof(CassH));
    bits = cass_opaque(bits);
    __builtin_memcpy(static_cast<void*>(&value), &bits, sizeof(CassH));
    return value;
}
template <typename CassH>
__host__ __device__ inline CassH cass_hadd_rn(CassH a, CassH b)
{
    return cass_half_opaque(__hadd(cass_half_opaque(a), cass_half_opaque(b)));
}
template <typename CassH>
__host__ __device__ inline CassH cass_hadd2_rn(CassH a, CassH b)
{
    return cass_half_opaque(__hadd2(cass_half_opaque(a), cass_half_opaque(b)));
}
template <typename CassH>
__host__ __device__ inline CassH cass_hsub_rn(CassH a, CassH b)
{
    return cass_half_opaque(__hsub(cass_half_opaque(a), cass_half_opaque(b)));
}
template <typename CassH>
__host__ __device__ inline CassH cass_hsub2_rn(CassH a, CassH b)
{
    return cass_half_opaque(__hsub2(cass_half_opaque(a), cass_half_opaque(b)));
}
template <typename CassH>
__host__ __device__ inline CassH cass_hmul_rn(CassH a, CassH b)
{
    return cass_half_opaque(__hmul(cass_half_opaque(a), cass_half_opaque(b)));
}
template <typename CassH>
__host__ __device__ inline CassH cass_hmul2_rn(CassH a, CassH b)
{
    return cass_half_opaque(__hmul2(cass_half_opaque(a), cass_half_opaque(b)));
}
