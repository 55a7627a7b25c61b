// name: cass_hfma_relu
// provides: cass_hfma_relu, cass_hfma2_relu
// replaces: __hfma_relu, __hfma2_relu
// requires: cass_half_bits, cass_half_fma
// includes: hip/hip_bf16.h, hip/hip_fp16.h
// summary: Fused multiply-add of half and bfloat16 numbers and pairs, no less than 0; a NaN becomes the canonical one.
// source: CUDA Math API 13.0, half and bfloat16 precision intrinsics
template <typename CassH>
__device__ inline CassH cass_half_relu(CassH value)
{
    return cass_half_map(value, value, [](int x, int) { return cass_half_is_nan<CassH>(x) ? 0x7fff : x & 0x8000 ? 0 : x; });
}
template <typename CassH>
__device__ inline CassH cass_hfma_relu(CassH a, CassH b, CassH c)
{
    return cass_half_relu(cass_half_fma(a, b, c));
}
template <typename CassH2>
__device__ inline CassH2 cass_hfma2_relu(CassH2 a, CassH2 b, CassH2 c)
{
    return cass_half_relu(cass_half_fma(a, b, c));
}
