// name: cass_dpx_relu
// provides: cass_vimax_s32_relu, cass_vimax_s16x2_relu, cass_vimin_s32_relu, cass_vimin_s16x2_relu
// replaces: __vimax_s32_relu, __vimax_s16x2_relu, __vimin_s32_relu, __vimin_s16x2_relu
// requires: cass_dpx_parts, cass_simd_map
// summary: Minimum or maximum of two signed values or pairs, and no less than 0.
// source: CUDA Math API 13.0, integer and SIMD intrinsics (DPX)
__host__ __device__ inline int cass_vimax_s32_relu(int a, int b)
{
    return cass_larger(cass_larger(a, b), 0);
}
__host__ __device__ inline unsigned cass_vimax_s16x2_relu(unsigned a, unsigned b)
{
    return cass_simd_map<2, true>(a, b, [](int x, int y) { return cass_larger(cass_larger(x, y), 0); });
}
__host__ __device__ inline int cass_vimin_s32_relu(int a, int b)
{
    return cass_larger(cass_smaller(a, b), 0);
}
__host__ __device__ inline unsigned cass_vimin_s16x2_relu(unsigned a, unsigned b)
{
    return cass_simd_map<2, true>(a, b, [](int x, int y) { return cass_larger(cass_smaller(x, y), 0); });
}
