// name: cass_simd_cmp4
// provides: cass_vcmpeq4, cass_vcmpne4, cass_vcmpges4, cass_vcmpgeu4, cass_vcmpgts4, cass_vcmpgtu4, cass_vcmples4, cass_vcmpleu4, cass_vcmplts4, cass_vcmpltu4
// replaces: __vcmpeq4, __vcmpne4, __vcmpges4, __vcmpgeu4, __vcmpgts4, __vcmpgtu4, __vcmples4, __vcmpleu4, __vcmplts4, __vcmpltu4
// requires: cass_simd_map
// summary: SIMD comparisons of 8-bit parts; a true one sets all bits of a part.
// source: CUDA Math API 13.0, SIMD intrinsics
__host__ __device__ inline unsigned cass_vcmpeq4(unsigned a, unsigned b)
{
    return cass_simd_map<4, false>(a, b, [](int x, int y) { return x == y ? -1 : 0; });
}
__host__ __device__ inline unsigned cass_vcmpne4(unsigned a, unsigned b)
{
    return cass_simd_map<4, false>(a, b, [](int x, int y) { return x != y ? -1 : 0; });
}
__host__ __device__ inline unsigned cass_vcmpges4(unsigned a, unsigned b)
{
    return cass_simd_map<4, true>(a, b, [](int x, int y) { return x >= y ? -1 : 0; });
}
__host__ __device__ inline unsigned cass_vcmpgeu4(unsigned a, unsigned b)
{
    return cass_simd_map<4, false>(a, b, [](int x, int y) { return x >= y ? -1 : 0; });
}
__host__ __device__ inline unsigned cass_vcmpgts4(unsigned a, unsigned b)
{
    return cass_simd_map<4, true>(a, b, [](int x, int y) { return x > y ? -1 : 0; });
}
__host__ __device__ inline unsigned cass_vcmpgtu4(unsigned a, unsigned b)
{
    return cass_simd_map<4, false>(a, b, [](int x, int y) { return x > y ? -1 : 0; });
}
__host__ __device__ inline unsigned cass_vcmples4(unsigned a, unsigned b)
{
    return cass_simd_map<4, true>(a, b, [](int x, int y) { return x <= y ? -1 : 0; });
}
__host__ __device__ inline unsigned cass_vcmpleu4(unsigned a, unsigned b)
{
    return cass_simd_map<4, false>(a, b, [](int x, int y) { return x <= y ? -1 : 0; });
}
__host__ __device__ inline unsigned cass_vcmplts4(unsigned a, unsigned b)
{
    return cass_simd_map<4, true>(a, b, [](int x, int y) { return x < y ? -1 : 0; });
}
__host__ __device__ inline unsigned cass_vcmpltu4(unsigned a, unsigned b)
{
    return cass_simd_map<4, false>(a, b, [](int x, int y) { return x < y ? -1 : 0; });
}
