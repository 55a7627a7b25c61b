// name: cass_dp2a
// provides: cass_dp2a_lo, cass_dp2a_hi
// replaces: __dp2a_lo, __dp2a_hi
// requires: cass_simd_map
// summary: Two-way dot product of 16-bit numbers with the low or high two bytes of a word, added to a 32-bit number.
// source: CUDA Math API 13.0, integer intrinsics (__dp2a_lo, __dp2a_hi)
__device__ inline int cass_dp2a_lo(int a, int b, int c)
{
    unsigned sum = static_cast<unsigned>(c);
    for (unsigned i = 0; i < 2; ++i)
        sum += static_cast<unsigned>(cass_simd_part<2, true>(static_cast<unsigned>(a), i) * cass_simd_part<4, true>(static_cast<unsigned>(b), i));
    return static_cast<int>(sum);
}
__device__ inline unsigned cass_dp2a_lo(unsigned a, unsigned b, unsigned c)
{
    for (unsigned i = 0; i < 2; ++i)
        c += static_cast<unsigned>(cass_simd_part<2, false>(a, i) * cass_simd_part<4, false>(b, i));
    return c;
}
__device__ inline int cass_dp2a_lo(short2 a, char4 b, int c)
{
    return static_cast<int>(static_cast<unsigned>(a.x * b.x + a.y * b.y) + static_cast<unsigned>(c));
}
__device__ inline unsigned cass_dp2a_lo(ushort2 a, uchar4 b, unsigned c)
{
    return static_cast<unsigned>(a.x * b.x + a.y * b.y) + c;
}
__device__ inline int cass_dp2a_hi(int a, int b, int c)
{
    unsigned sum = static_cast<unsigned>(c);
    for (unsigned i = 0; i < 2; ++i)
        sum += static_cast<unsigned>(cass_simd_part<2, true>(static_cast<unsigned>(a), i) * cass_simd_part<4, true>(static_cast<unsigned>(b), i + 2));
    return static_cast<int>(sum);
}
__device__ inline unsigned cass_dp2a_hi(unsigned a, unsigned b, unsigned c)
{
    for (unsigned i = 0; i < 2; ++i)
        c += static_cast<unsigned>(cass_simd_part<2, false>(a, i) * cass_simd_part<4, false>(b, i + 2));
    return c;
}
__device__ inline int cass_dp2a_hi(short2 a, char4 b, int c)
{
    return static_cast<int>(static_cast<unsigned>(a.x * b.z + a.y * b.w) + static_cast<unsigned>(c));
}
__device__ inline unsigned cass_dp2a_hi(ushort2 a, uchar4 b, unsigned c)
{
    return static_cast<unsigned>(a.x * b.z + a.y * b.w) + c;
}
