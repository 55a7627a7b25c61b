// name: cass_half_minmax
// provides: cass_hmax2, cass_hmin2, cass_hmax2_nan, cass_hmin2_nan, cass_hmax_nan, cass_hmin_nan
// replaces: __hmax2, __hmin2, __hmax2_nan, __hmin2_nan, __hmax_nan, __hmin_nan
// requires: cass_half_bits
// includes: hip/hip_bf16.h, hip/hip_fp16.h
// summary: Minimum and maximum of half and bfloat16 numbers and pairs; a NaN loses, or wins and spreads (nan).
// source: CUDA Math API 13.0, half and bfloat16 precision intrinsics

// The number of the larger order; with equal zeros the positive one is the larger.
template <typename CassH, int CassSign, bool CassSpreadNan>
__host__ __device__ inline CassH cass_half_extreme(CassH a, CassH b)
{
    return cass_half_map(a, b, [](int x, int y) {
        bool x_nan = cass_half_is_nan<CassH>(x), y_nan = cass_half_is_nan<CassH>(y);
        if (x_nan || y_nan)
            return CassSpreadNan || (x_nan && y_nan) ? 0x7fff : x_nan ? y : x;
        int difference = cass_half_order(x) - cass_half_order(y);
        if (difference == 0)
            difference = (y >> 15) - (x >> 15);
        return CassSign * difference >= 0 ? x : y;
    });
}
template <typename CassH>
__host__ __device__ inline CassH cass_hmax2(CassH a, CassH b)
{
    return cass_half_extreme<CassH, 1, false>(a, b);
}
template <typename CassH>
__host__ __device__ inline CassH cass_hmin2(CassH a, CassH b)
{
    return cass_half_extreme<CassH, -1, false>(a, b);
}
template <typename CassH>
__host__ __device__ inline CassH cass_hmax2_nan(CassH a, CassH b)
{
    return cass_half_extreme<CassH, 1, true>(a, b);
}
template <typename CassH>
__host__ __device__ inline CassH cass_hmin2_nan(CassH a, CassH b)
{
    return cass_half_extreme<CassH, -1, true>(a, b);
}
template <typename CassH>
__host__ __device__ inline CassH cass_hmax_nan(CassH a, CassH b)
{
    return cass_half_extreme<CassH, 1, true>(a, b);
}
template <typename CassH>
__host__ __device__ inline CassH cass_hmin_nan(CassH a, CassH b)
{
    return cass_half_extreme<CassH, -1, true>(a, b);
}
