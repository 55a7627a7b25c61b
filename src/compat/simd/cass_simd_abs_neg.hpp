// name: cass_simd_abs_neg
// provides: cass_vabs2, cass_vabsss2, cass_vneg2, cass_vnegss2, cass_vabs4, cass_vabsss4, cass_vneg4, cass_vnegss4
// replaces: __vabs2, __vabsss2, __vneg2, __vnegss2, __vabs4, __vabsss4, __vneg4, __vnegss4
// requires: cass_simd_map
// summary: SIMD absolute value and negation, wrapping and with signed saturation (ss).
// source: CUDA Math API 13.0, SIMD intrinsics
__host__ __device__ inline unsigned cass_vabs2(unsigned a)
{
    return cass_simd_map<2, true>(a, 0, [](int x, int) { return x < 0 ? -x : x; });
}
__host__ __device__ inline unsigned cass_vabsss2(unsigned a)
{
    return cass_simd_map<2, true>(a, 0, [](int x, int) { return x == -32768 ? 32767 : x < 0 ? -x : x; });
}
__host__ __device__ inline unsigned cass_vneg2(unsigned a)
{
    return cass_simd_map<2, true>(a, 0, [](int x, int) { return -x; });
}
__host__ __device__ inline unsigned cass_vnegss2(unsigned a)
{
    return cass_simd_map<2, true>(a, 0, [](int x, int) { return x == -32768 ? 32767 : -x; });
}
__host__ __device__ inline unsigned cass_vabs4(unsigned a)
{
    return cass_simd_map<4, true>(a, 0, [](int x, int) { return x < 0 ? -x : x; });
}
__host__ __device__ inline unsigned cass_vabsss4(unsigned a)
{
    return cass_simd_map<4, true>(a, 0, [](int x, int) { return x == -128 ? 127 : x < 0 ? -x : x; });
}
__host__ __device__ inline unsigned cass_vneg4(unsigned a)
{
    return cass_simd_map<4, true>(a, 0, [](int x, int) { return -x; });
}
__host__ __device__ inline unsigned cass_vnegss4(unsigned a)
{
    return cass_simd_map<4, true>(a, 0, [](int x, int) { return x == -128 ? 127 : -x; });
}
