// name: cass_simd_absdiff
// provides: cass_vabsdiffs2, cass_vabsdiffu2, cass_vabsdiffs4, cass_vabsdiffu4
// replaces: __vabsdiffs2, __vabsdiffu2, __vabsdiffs4, __vabsdiffu4
// requires: cass_simd_map
// summary: SIMD absolute difference of signed and of unsigned parts.
// source: CUDA Math API 13.0, SIMD intrinsics
__host__ __device__ inline unsigned cass_vabsdiffs2(unsigned a, unsigned b)
{
    return cass_simd_map<2, true>(a, b, [](int x, int y) { return x < y ? y - x : x - y; });
}
__host__ __device__ inline unsigned cass_vabsdiffu2(unsigned a, unsigned b)
{
    return cass_simd_map<2, false>(a, b, [](int x, int y) { return x < y ? y - x : x - y; });
}
__host__ __device__ inline unsigned cass_vabsdiffs4(unsigned a, unsigned b)
{
    return cass_simd_map<4, true>(a, b, [](int x, int y) { return x < y ? y - x : x - y; });
}
__host__ __device__ inline unsigned cass_vabsdiffu4(unsigned a, unsigned b)
{
    return cass_simd_map<4, false>(a, b, [](int x, int y) { return x < y ? y - x : x - y; });
}
