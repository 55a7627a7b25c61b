// name: cass_simd_sub
// provides: cass_vsub2, cass_vsubss2, cass_vsubus2, cass_vsub4, cass_vsubss4, cass_vsubus4
// replaces: __vsub2, __vsubss2, __vsubus2, __vsub4, __vsubss4, __vsubus4
// requires: cass_simd_clamp, cass_simd_map
// summary: SIMD subtraction: wrapping, with signed saturation (ss) and with unsigned saturation (us).
// source: CUDA Math API 13.0, SIMD intrinsics
__host__ __device__ inline unsigned cass_vsub2(unsigned a, unsigned b)
{
    return cass_simd_map<2, false>(a, b, [](int x, int y) { return x - y; });
}
__host__ __device__ inline unsigned cass_vsubss2(unsigned a, unsigned b)
{
    return cass_simd_map<2, true>(a, b, [](int x, int y) { return cass_simd_clamp(x - y, -32768, 32767); });
}
__host__ __device__ inline unsigned cass_vsubus2(unsigned a, unsigned b)
{
    return cass_simd_map<2, false>(a, b, [](int x, int y) { return cass_simd_clamp(x - y, 0, 65535); });
}
__host__ __device__ inline unsigned cass_vsub4(unsigned a, unsigned b)
{
    return cass_simd_map<4, false>(a, b, [](int x, int y) { return x - y; });
}
__host__ __device__ inline unsigned cass_vsubss4(unsigned a, unsigned b)
{
    return cass_simd_map<4, true>(a, b, [](int x, int y) { return cass_simd_clamp(x - y, -128, 127); });
}
__host__ __device__ inline unsigned cass_vsubus4(unsigned a, unsigned b)
{
    return cass_simd_map<4, false>(a, b, [](int x, int y) { return cass_simd_clamp(x - y, 0, 255); });
}
