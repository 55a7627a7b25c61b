// name: cass_simd_cmp2
// provides: cass_vcmpeq2, cass_vcmpne2, cass_vcmpges2, cass_vcmpgeu2, cass_vcmpgts2, cass_vcmpgtu2, cass_vcmples2, cass_vcmpleu2, cass_vcmplts2, cass_vcmpltu2
// replaces: __vcmpeq2, __vcmpne2, __vcmpges2, __vcmpgeu2, __vcmpgts2, __vcmpgtu2, __vcmples2, __vcmpleu2, __vcmplts2, __vcmpltu2
// requires: cass_simd_map
// summary: SIMD comparisons of 16-bit parts; a true one sets all bits of a part.
// source: CUDA Math API 13.0, SIMD intrinsics
__host__ __device__ inline unsigned cass_vcmpeq2(unsigned a, unsigned b)
{
    return cass_simd_map<2, false>(a, b, [](int x, int y) { return x == y ? -1 : 0; });
}
__host__ __device__ inline unsigned cass_vcmpne2(unsigned a, unsigned b)
{
    return cass_simd_map<2, false>(a, b, [](int x, int y) { return x != y ? -1 : 0; });
}
__host__ __device__ inline unsigned cass_vcmpges2(unsigned a, unsigned b)
{
    return cass_simd_map<2, true>(a, b, [](int x, int y) { return x >= y ? -1 : 0; });
}
__host__ __device__ inline unsigned cass_vcmpgeu2(unsigned a, unsigned b)
{
    return cass_simd_map<2, false>(a, b, [](int x, int y) { return x >= y ? -1 : 0; });
}
__host__ __device__ inline unsigned cass_vcmpgts2(unsigned a, unsigned b)
{
    return cass_simd_map<2, true>(a, b, [](int x, int y) { return x > y ? -1 : 0; });
}
__host__ __device__ inline unsigned cass_vcmpgtu2(unsigned a, unsigned b)
{
    return cass_simd_map<2, false>(a, b, [](int x, int y) { return x > y ? -1 : 0; });
}
__host__ __device__ inline unsigned cass_vcmples2(unsigned a, unsigned b)
{
    return cass_simd_map<2, true>(a, b, [](int x, int y) { return x <= y ? -1 : 0; });
}
__host__ __device__ inline unsigned cass_vcmpleu2(unsigned a, unsigned b)
{
    return cass_simd_map<2, false>(a, b, [](int x, int y) { return x <= y ? -1 : 0; });
}
__host__ __device__ inline unsigned cass_vcmplts2(unsigned a, unsigned b)
{
    return cass_simd_map<2, true>(a, b, [](int x, int y) { return x < y ? -1 : 0; });
}
__host__ __device__ inline unsigned cass_vcmpltu2(unsigned a, unsigned b)
{
    return cass_simd_map<2, false>(a, b, [](int x, int y) { return x < y ? -1 : 0; });
}
