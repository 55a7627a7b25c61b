// name: cass_simd_sad
// provides: cass_vsads2, cass_vsadu2, cass_vsads4, cass_vsadu4
// replaces: __vsads2, __vsadu2, __vsads4, __vsadu4
// requires: cass_simd_map
// summary: Sum of the absolute differences of signed and of unsigned parts.
// source: CUDA Math API 13.0, SIMD intrinsics
__host__ __device__ inline unsigned cass_vsads2(unsigned a, unsigned b)
{
    // Larger less smaller: of `x < y ? y - x : x - y` clang 19 keeps `x - y` alone for AMD at -O2.
    unsigned sum = 0;
    for (unsigned i = 0; i < 2; ++i) {
        int x = cass_simd_part<2, true>(a, i), y = cass_simd_part<2, true>(b, i);
        sum += static_cast<unsigned>((x < y ? y : x) - (x < y ? x : y));
    }
    return sum;
}
__host__ __device__ inline unsigned cass_vsadu2(unsigned a, unsigned b)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 2; ++i) {
        int x = cass_simd_part<2, false>(a, i), y = cass_simd_part<2, false>(b, i);
        sum += static_cast<unsigned>((x < y ? y : x) - (x < y ? x : y));
    }
    return sum;
}
__host__ __device__ inline unsigned cass_vsads4(unsigned a, unsigned b)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 4; ++i) {
        int x = cass_simd_part<4, true>(a, i), y = cass_simd_part<4, true>(b, i);
        sum += static_cast<unsigned>((x < y ? y : x) - (x < y ? x : y));
    }
    return sum;
}
__host__ __device__ inline unsigned cass_vsadu4(unsigned a, unsigned b)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 4; ++i) {
        int x = cass_simd_part<4, false>(a, i), y = cass_simd_part<4, false>(b, i);
        sum += static_cast<unsigned>((x < y ? y : x) - (x < y ? x : y));
    }
    return sum;
}
