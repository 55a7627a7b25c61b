// name: cass_half_masks
// provides: cass_heq2_mask, cass_hequ2_mask, cass_hne2_mask, cass_hneu2_mask, cass_hle2_mask, cass_hleu2_mask, cass_hge2_mask, cass_hgeu2_mask, cass_hlt2_mask, cass_hltu2_mask, cass_hgt2_mask, cass_hgtu2_mask
// replaces: __heq2_mask, __hequ2_mask, __hne2_mask, __hneu2_mask, __hle2_mask, __hleu2_mask, __hge2_mask, __hgeu2_mask, __hlt2_mask, __hltu2_mask, __hgt2_mask, __hgtu2_mask
// requires: cass_half_bits
// includes: hip/hip_bf16.h, hip/hip_fp16.h
// summary: Comparisons of half2 and bfloat162 pairs with a mask of 16 set bits for each true element; u: true for NaN.
// source: CUDA Math API 13.0, half and bfloat16 precision intrinsics
template <typename CassH, typename CassF>
__host__ __device__ inline unsigned cass_half_mask(CassH a, CassH b, bool unordered, CassF holds)
{
    CassH mask = cass_half_map(a, b, [=](int x, int y) {
        bool nan = cass_half_is_nan<CassH>(x) || cass_half_is_nan<CassH>(y);
        bool set = nan ? unordered : holds(cass_half_order(x), cass_half_order(y));
        return set ? 0xffff : 0;
    });
    unsigned bits;
    __builtin_memcpy(&bits, static_cast<const void*>(&mask), sizeof(bits));
    return bits;
}
template <typename CassH2>
__host__ __device__ inline unsigned cass_heq2_mask(CassH2 a, CassH2 b)
{
    return cass_half_mask(a, b, false, [](int x, int y) { return x == y; });
}
template <typename CassH2>
__host__ __device__ inline unsigned cass_hequ2_mask(CassH2 a, CassH2 b)
{
    return cass_half_mask(a, b, true, [](int x, int y) { return x == y; });
}
template <typename CassH2>
__host__ __device__ inline unsigned cass_hne2_mask(CassH2 a, CassH2 b)
{
    return cass_half_mask(a, b, false, [](int x, int y) { return x != y; });
}
template <typename CassH2>
__host__ __device__ inline unsigned cass_hneu2_mask(CassH2 a, CassH2 b)
{
    return cass_half_mask(a, b, true, [](int x, int y) { return x != y; });
}
template <typename CassH2>
__host__ __device__ inline unsigned cass_hle2_mask(CassH2 a, CassH2 b)
{
    return cass_half_mask(a, b, false, [](int x, int y) { return x <= y; });
}
template <typename CassH2>
__host__ __device__ inline unsigned cass_hleu2_mask(CassH2 a, CassH2 b)
{
    return cass_half_mask(a, b, true, [](int x, int y) { return x <= y; });
}
template <typename CassH2>
__host__ __device__ inline unsigned cass_hge2_mask(CassH2 a, CassH2 b)
{
    return cass_half_mask(a, b, false, [](int x, int y) { return x >= y; });
}
template <typename CassH2>
__host__ __device__ inline unsigned cass_hgeu2_mask(CassH2 a, CassH2 b)
{
    return cass_half_mask(a, b, true, [](int x, int y) { return x >= y; });
}
template <typename CassH2>
__host__ __device__ inline unsigned cass_hlt2_mask(CassH2 a, CassH2 b)
{
    return cass_half_mask(a, b, false, [](int x, int y) { return x < y; });
}
template <typename CassH2>
__host__ __device__ inline unsigned cass_hltu2_mask(CassH2 a, CassH2 b)
{
    return cass_half_mask(a, b, true, [](int x, int y) { return x < y; });
}
template <typename CassH2>
__host__ __device__ inline unsigned cass_hgt2_mask(CassH2 a, CassH2 b)
{
    return cass_half_mask(a, b, false, [](int x, int y) { return x > y; });
}
template <typename CassH2>
__host__ __device__ inline unsigned cass_hgtu2_mask(CassH2 a, CassH2 b)
{
    return cass_half_mask(a, b, true, [](int x, int y) { return x > y; });
}
