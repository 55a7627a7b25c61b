// name: cass_simd_add
// provides: cass_vadd2, cass_vaddss2, cass_vaddus2, cass_vadd4, cass_vaddss4, cass_vaddus4
// replaces: __vadd2, __vaddss2, __vaddus2, __vadd4, __vaddss4, __vaddus4
// requires: cass_simd_clamp, cass_simd_map
// summary: SIMD addition: wrapping, with signed saturation (ss) and with unsigned saturation (us).
// source: CUDA Math API 13.0, SIMD intrinsics
__host__ __device__ inline unsigned cass_vadd2(unsigned a, unsigned b)
{
    return cass_simd_map<2, false>(a, b, [](int x, int y) { return x + y; });
}
__host__ __device__ inline unsigned cass_vaddss2(unsigned a, unsigned b)
{
    return cass_simd_map<2, true>(a, b, [](int x, int y) { return cass_simd_clamp(x + y, -32768, 32767); });
}
__host__ __device__ inline unsigned cass_vaddus2(unsigned a, unsigned b)
{
    return cass_simd_map<2, false>(a, b, [](int x, int y) { return cass_simd_clamp(x + y, 0, 65535); });
}
__host__ __device__ inline unsigned cass_vadd4(unsigned a, unsigned b)
{
    return cass_simd_map<4, false>(a, b, [](int x, int y) { return x + y; });
}
__host__ __device__ inline unsigned cass_vaddss4(unsigned a, unsigned b)
{
    return cass_simd_map<4, true>(a, b, [](int x, int y) { return cass_simd_clamp(x + y, -128, 127); });
}
__host__ __device__ inline unsigned cass_vaddus4(unsigned a, unsigned b)
{
    return cass_simd_map<4, false>(a, b, [](int x, int y) { return cass_simd_clamp(x + y, 0, 255); });
}
