// name: cass_dpx_min3
// provides: cass_vimin3_s32, cass_vimin3_u32, cass_vimin3_s32_relu, cass_vimin3_s16x2, cass_vimin3_u16x2, cass_vimin3_s16x2_relu
// replaces: __vimin3_s32, __vimin3_u32, __vimin3_s32_relu, __vimin3_s16x2, __vimin3_u16x2, __vimin3_s16x2_relu
// requires: cass_dpx_parts
// summary: Minimum of three values or pairs; relu: and no less than 0.
// source: CUDA Math API 13.0, integer and SIMD intrinsics (DPX)
__host__ __device__ inline int cass_vimin3_s32(int a, int b, int c)
{
    return cass_smaller(cass_smaller(a, b), c);
}
__host__ __device__ inline unsigned cass_vimin3_u32(unsigned a, unsigned b, unsigned c)
{
    return cass_smaller(cass_smaller(a, b), c);
}
__host__ __device__ inline int cass_vimin3_s32_relu(int a, int b, int c)
{
    return cass_larger(cass_smaller(cass_smaller(a, b), c), 0);
}
__host__ __device__ inline unsigned cass_vimin3_s16x2(unsigned a, unsigned b, unsigned c)
{
    return cass_dpx_map3<true>(a, b, c, [](int x, int y, int z) { return cass_smaller(cass_smaller(x, y), z); });
}
__host__ __device__ inline unsigned cass_vimin3_u16x2(unsigned a, unsigned b, unsigned c)
{
    return cass_dpx_map3<false>(a, b, c, [](int x, int y, int z) { return cass_smaller(cass_smaller(x, y), z); });
}
__host__ __device__ inline unsigned cass_vimin3_s16x2_relu(unsigned a, unsigned b, unsigned c)
{
    return cass_dpx_map3<true>(a, b, c, [](int x, int y, int z) { return cass_larger(cass_smaller(cass_smaller(x, y), z), 0); });
}
