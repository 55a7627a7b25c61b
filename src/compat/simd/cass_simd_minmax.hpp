// name: cass_simd_minmax
// provides: cass_vmaxs2, cass_vmins2, cass_vmaxu2, cass_vminu2, cass_vmaxs4, cass_vmins4, cass_vmaxu4, cass_vminu4
// replaces: __vmaxs2, __vmins2, __vmaxu2, __vminu2, __vmaxs4, __vmins4, __vmaxu4, __vminu4
// requires: cass_simd_map
// summary: SIMD minimum and maximum of signed and of unsigned parts.
// source: CUDA Math API 13.0, SIMD intrinsics
__host__ __device__ inline unsigned cass_vmaxs2(unsigned a, unsigned b)
{
    return cass_simd_map<2, true>(a, b, [](int x, int y) { return x < y ? y : x; });
}
__host__ __device__ inline unsigned cass_vmins2(unsigned a, unsigned b)
{
    return cass_simd_map<2, true>(a, b, [](int x, int y) { return y < x ? y : x; });
}
__host__ __device__ inline unsigned cass_vmaxu2(unsigned a, unsigned b)
{
    return cass_simd_map<2, false>(a, b, [](int x, int y) { return x < y ? y : x; });
}
__host__ __device__ inline unsigned cass_vminu2(unsigned a, unsigned b)
{
    return cass_simd_map<2, false>(a, b, [](int x, int y) { return y < x ? y : x; });
}
__host__ __device__ inline unsigned cass_vmaxs4(unsigned a, unsigned b)
{
    return cass_simd_map<4, true>(a, b, [](int x, int y) { return x < y ? y : x; });
}
__host__ __device__ inline unsigned cass_vmins4(unsigned a, unsigned b)
{
    return cass_simd_map<4, true>(a, b, [](int x, int y) { return y < x ? y : x; });
}
__host__ __device__ inline unsigned cass_vmaxu4(unsigned a, unsigned b)
{
    return cass_simd_map<4, false>(a, b, [](int x, int y) { return x < y ? y : x; });
}
__host__ __device__ inline unsigned cass_vminu4(unsigned a, unsigned b)
{
    return cass_simd_map<4, false>(a, b, [](int x, int y) { return y < x ? y : x; });
}
