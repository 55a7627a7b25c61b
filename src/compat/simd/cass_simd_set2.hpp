// name: cass_simd_set2
// provides: cass_vseteq2, cass_vsetne2, cass_vsetges2, cass_vsetgeu2, cass_vsetgts2, cass_vsetgtu2, cass_vsetles2, cass_vsetleu2, cass_vsetlts2, cass_vsetltu2
// replaces: __vseteq2, __vsetne2, __vsetges2, __vsetgeu2, __vsetgts2, __vsetgtu2, __vsetles2, __vsetleu2, __vsetlts2, __vsetltu2
// requires: cass_simd_map
// summary: SIMD comparisons of 16-bit parts; a true one sets the value 1 in a part.
// source: CUDA Math API 13.0, SIMD intrinsics
__host__ __device__ inline unsigned cass_vseteq2(unsigned a, unsigned b)
{
    return cass_simd_map<2, false>(a, b, [](int x, int y) { return x == y ? 1 : 0; });
}
__host__ __device__ inline unsigned cass_vsetne2(unsigned a, unsigned b)
{
    return cass_simd_map<2, false>(a, b, [](int x, int y) { return x != y ? 1 : 0; });
}
__host__ __device__ inline unsigned cass_vsetges2(unsigned a, unsigned b)
{
    return cass_simd_map<2, true>(a, b, [](int x, int y) { return x >= y ? 1 : 0; });
}
__host__ __device__ inline unsigned cass_vsetgeu2(unsigned a, unsigned b)
{
    return cass_simd_map<2, false>(a, b, [](int x, int y) { return x >= y ? 1 : 0; });
}
__host__ __device__ inline unsigned cass_vsetgts2(unsigned a, unsigned b)
{
    return cass_simd_map<2, true>(a, b, [](int x, int y) { return x > y ? 1 : 0; });
}
__host__ __device__ inline unsigned cass_vsetgtu2(unsigned a, unsigned b)
{
    return cass_simd_map<2, false>(a, b, [](int x, int y) { return x > y ? 1 : 0; });
}
__host__ __device__ inline unsigned cass_vsetles2(unsigned a, unsigned b)
{
    return cass_simd_map<2, true>(a, b, [](int x, int y) { return x <= y ? 1 : 0; });
}
__host__ __device__ inline unsigned cass_vsetleu2(unsigned a, unsigned b)
{
    return cass_simd_map<2, false>(a, b, [](int x, int y) { return x <= y ? 1 : 0; });
}
__host__ __device__ inline unsigned cass_vsetlts2(unsigned a, unsigned b)
{
    return cass_simd_map<2, true>(a, b, [](int x, int y) { return x < y ? 1 : 0; });
}
__host__ __device__ inline unsigned cass_vsetltu2(unsigned a, unsigned b)
{
    return cass_simd_map<2, false>(a, b, [](int x, int y) { return x < y ? 1 : 0; });
}
