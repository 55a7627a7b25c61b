// name: cass_simd_set4
// provides: cass_vseteq4, cass_vsetne4, cass_vsetges4, cass_vsetgeu4, cass_vsetgts4, cass_vsetgtu4, cass_vsetles4, cass_vsetleu4, cass_vsetlts4, cass_vsetltu4
// replaces: __vseteq4, __vsetne4, __vsetges4, __vsetgeu4, __vsetgts4, __vsetgtu4, __vsetles4, __vsetleu4, __vsetlts4, __vsetltu4
// requires: cass_simd_map
// summary: SIMD comparisons of 8-bit parts; a true one sets the value 1 in a part.
// source: CUDA Math API 13.0, SIMD intrinsics
__host__ __device__ inline unsigned cass_vseteq4(unsigned a, unsigned b)
{
    return cass_simd_map<4, false>(a, b, [](int x, int y) { return x == y ? 1 : 0; });
}
__host__ __device__ inline unsigned cass_vsetne4(unsigned a, unsigned b)
{
    return cass_simd_map<4, false>(a, b, [](int x, int y) { return x != y ? 1 : 0; });
}
__host__ __device__ inline unsigned cass_vsetges4(unsigned a, unsigned b)
{
    return cass_simd_map<4, true>(a, b, [](int x, int y) { return x >= y ? 1 : 0; });
}
__host__ __device__ inline unsigned cass_vsetgeu4(unsigned a, unsigned b)
{
    return cass_simd_map<4, false>(a, b, [](int x, int y) { return x >= y ? 1 : 0; });
}
__host__ __device__ inline unsigned cass_vsetgts4(unsigned a, unsigned b)
{
    return cass_simd_map<4, true>(a, b, [](int x, int y) { return x > y ? 1 : 0; });
}
__host__ __device__ inline unsigned cass_vsetgtu4(unsigned a, unsigned b)
{
    return cass_simd_map<4, false>(a, b, [](int x, int y) { return x > y ? 1 : 0; });
}
__host__ __device__ inline unsigned cass_vsetles4(unsigned a, unsigned b)
{
    return cass_simd_map<4, true>(a, b, [](int x, int y) { return x <= y ? 1 : 0; });
}
__host__ __device__ inline unsigned cass_vsetleu4(unsigned a, unsigned b)
{
    return cass_simd_map<4, false>(a, b, [](int x, int y) { return x <= y ? 1 : 0; });
}
__host__ __device__ inline unsigned cass_vsetlts4(unsigned a, unsigned b)
{
    return cass_simd_map<4, true>(a, b, [](int x, int y) { return x < y ? 1 : 0; });
}
__host__ __device__ inline unsigned cass_vsetltu4(unsigned a, unsigned b)
{
    return cass_simd_map<4, false>(a, b, [](int x, int y) { return x < y ? 1 : 0; });
}
