// name: cass_dpx_which
// provides: cass_vibmax_s32, cass_vibmax_u32, cass_vibmax_s16x2, cass_vibmax_u16x2, cass_vibmin_s32, cass_vibmin_u32, cass_vibmin_s16x2, cass_vibmin_u16x2
// replaces: __vibmax_s32, __vibmax_u32, __vibmax_s16x2, __vibmax_u16x2, __vibmin_s32, __vibmin_u32, __vibmin_s16x2, __vibmin_u16x2
// requires: cass_simd_map
// summary: Minimum or maximum of two values or pairs, and whether the first operand is it.
// source: CUDA Math API 13.0, integer and SIMD intrinsics (DPX)
__host__ __device__ inline int cass_vibmax_s32(int a, int b, bool* first)
{
    *first = a >= b;
    return *first ? a : b;
}
__host__ __device__ inline unsigned cass_vibmax_u32(unsigned a, unsigned b, bool* first)
{
    *first = a >= b;
    return *first ? a : b;
}
__host__ __device__ inline unsigned cass_vibmax_s16x2(unsigned a, unsigned b, bool* high, bool* low)
{
    *high = cass_simd_part<2, true>(a, 1) >= cass_simd_part<2, true>(b, 1);
    *low = cass_simd_part<2, true>(a, 0) >= cass_simd_part<2, true>(b, 0);
    return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffffu);
}
__host__ __device__ inline unsigned cass_vibmax_u16x2(unsigned a, unsigned b, bool* high, bool* low)
{
    *high = cass_simd_part<2, false>(a, 1) >= cass_simd_part<2, false>(b, 1);
    *low = cass_simd_part<2, false>(a, 0) >= cass_simd_part<2, false>(b, 0);
    return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffffu);
}
__host__ __device__ inline int cass_vibmin_s32(int a, int b, bool* first)
{
    *first = a <= b;
    return *first ? a : b;
}
__host__ __device__ inline unsigned cass_vibmin_u32(unsigned a, unsigned b, bool* first)
{
    *first = a <= b;
    return *first ? a : b;
}
__host__ __device__ inline unsigned cass_vibmin_s16x2(unsigned a, unsigned b, bool* high, bool* low)
{
    *high = cass_simd_part<2, true>(a, 1) <= cass_simd_part<2, true>(b, 1);
    *low = cass_simd_part<2, true>(a, 0) <= cass_simd_part<2, true>(b, 0);
    return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffffu);
}
__host__ __device__ inline unsigned cass_vibmin_u16x2(unsigned a, unsigned b, bool* high, bool* low)
{
    *high = cass_simd_part<2, false>(a, 1) <= cass_simd_part<2, false>(b, 1);
    *low = cass_simd_part<2, false>(a, 0) <= cass_simd_part<2, false>(b, 0);
    return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffffu);
}
