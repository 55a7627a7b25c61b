// name: cass_bf16_compare
// provides: cass_hgt2, cass_hisnan2
// replaces: __hgt2, __hisnan2
// requires: cass_half_bits
// includes: hip/hip_bf16.h, hip/hip_fp16.h
// summary: Comparisons of pairs with 1 for each true element; HIP 6.4 answers 1 for the second element of bfloat16 always.
// source: CUDA Math API 13.0, half and bfloat16 comparison functions; amd_hip_bf16.h of ROCm 6.4
template <typename CassPair, typename CassFunction>
__host__ __device__ inline CassPair cass_half_answers(CassPair a, CassPair b, CassFunction holds)
{
    const int one = cass_half_infinity(static_cast<const CassPair*>(nullptr)) == 0x7c00 ? 0x3c00 : 0x3f80;
    return cass_half_map(a, b, [=](int x, int y) { return holds(x, y) ? one : 0; });
}
template <typename CassPair>
__host__ __device__ inline CassPair cass_half_greater(CassPair a, CassPair b)
{
    return cass_half_answers(a, b, [](int x, int y) {
        bool nan = cass_half_is_nan<CassPair>(x) || cass_half_is_nan<CassPair>(y);
        return !nan && cass_half_order(x) > cass_half_order(y);
    });
}
template <typename CassPair>
__host__ __device__ inline CassPair cass_half_nans(CassPair a)
{
    return cass_half_answers(a, a, [](int x, int) { return cass_half_is_nan<CassPair>(x); });
}
// No templates, so that a type of the program's that converts to a pair is taken, as CUDA's functions take it.
__host__ __device__ inline __half2 cass_hgt2(__half2 a, __half2 b) { return cass_half_greater(a, b); }
__host__ __device__ inline __hip_bfloat162 cass_hgt2(__hip_bfloat162 a, __hip_bfloat162 b) { return cass_half_greater(a, b); }
__host__ __device__ inline __half2 cass_hisnan2(__half2 a) { return cass_half_nans(a); }
__host__ __device__ inline __hip_bfloat162 cass_hisnan2(__hip_bfloat162 a) { return cass_half_nans(a); }
