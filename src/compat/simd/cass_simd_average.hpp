// name: cass_simd_average
// provides: cass_vavgs2, cass_vavgu2, cass_vhaddu2, cass_vavgs4, cass_vavgu4, cass_vhaddu4
// replaces: __vavgs2, __vavgu2, __vhaddu2, __vavgs4, __vavgu4, __vhaddu4
// requires: cass_simd_map
// summary: SIMD average, rounded (signed: halves away from zero, unsigned: up) and unsigned rounded down.
// source: CUDA Math API 13.0, SIMD intrinsics
__host__ __device__ inline unsigned cass_vavgs2(unsigned a, unsigned b)
{
    return cass_simd_map<2, true>(a, b, [](int x, int y) { return (x + y + (x + y >= 0)) >> 1; });
}
__host__ __device__ inline unsigned cass_vavgu2(unsigned a, unsigned b)
{
    return cass_simd_map<2, false>(a, b, [](int x, int y) { return (x + y + 1) >> 1; });
}
__host__ __device__ inline unsigned cass_vhaddu2(unsigned a, unsigned b)
{
    return cass_simd_map<2, false>(a, b, [](int x, int y) { return (x + y) >> 1; });
}
__host__ __device__ inline unsigned cass_vavgs4(unsigned a, unsigned b)
{
    return cass_simd_map<4, true>(a, b, [](int x, int y) { return (x + y + (x + y >= 0)) >> 1; });
}
__host__ __device__ inline unsigned cass_vavgu4(unsigned a, unsigned b)
{
    return cass_simd_map<4, false>(a, b, [](int x, int y) { return (x + y + 1) >> 1; });
}
__host__ __device__ inline unsigned cass_vhaddu4(unsigned a, unsigned b)
{
    return cass_simd_map<4, false>(a, b, [](int x, int y) { return (x + y) >> 1; });
}
