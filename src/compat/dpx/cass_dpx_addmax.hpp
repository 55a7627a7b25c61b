// name: cass_dpx_addmax
// provides: cass_viaddmax_s32, cass_viaddmax_u32, cass_viaddmax_s32_relu, cass_viaddmax_s16x2, cass_viaddmax_u16x2, cass_viaddmax_s16x2_relu
// replaces: __viaddmax_s32, __viaddmax_u32, __viaddmax_s32_relu, __viaddmax_s16x2, __viaddmax_u16x2, __viaddmax_s16x2_relu
// requires: cass_dpx_parts
// summary: Maximum of a wrapping sum and a third value, or pairs of them; relu: and no less than 0.
// source: CUDA Math API 13.0, integer and SIMD intrinsics (DPX)
__host__ __device__ inline int cass_viaddmax_s32(int a, int b, int c)
{
    return cass_larger(static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b)), c);
}
__host__ __device__ inline unsigned cass_viaddmax_u32(unsigned a, unsigned b, unsigned c)
{
    return cass_larger(a + b, c);
}
__host__ __device__ inline int cass_viaddmax_s32_relu(int a, int b, int c)
{
    return cass_larger(cass_larger(static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b)), c), 0);
}
__host__ __device__ inline unsigned cass_viaddmax_s16x2(unsigned a, unsigned b, unsigned c)
{
    return cass_dpx_map3<true>(a, b, c, [](int x, int y, int z) { return cass_larger(static_cast<int>(static_cast<short>(x + y)), z); });
}
__host__ __device__ inline unsigned cass_viaddmax_u16x2(unsigned a, unsigned b, unsigned c)
{
    return cass_dpx_map3<false>(a, b, c, [](int x, int y, int z) { return cass_larger((x + y) & 0xffff, z); });
}
__host__ __device__ inline unsigned cass_viaddmax_s16x2_relu(unsigned a, unsigned b, unsigned c)
{
    return cass_dpx_map3<true>(a, b, c, [](int x, int y, int z) { return cass_larger(cass_larger(static_cast<int>(static_cast<short>(x + y)), z), 0); });
}
