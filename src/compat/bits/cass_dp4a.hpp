// name: cass_dp4a
// provides: cass_dp4a
// replaces: __dp4a
// requires: cass_simd_map
// summary: Four-way dot product of bytes added to a 32-bit number, with the dot instruction of the chip where it has one.
// source: CUDA Math API 13.0, integer intrinsics (__dp4a); clang 19 AMDGPU builtins (sdot4, sudot4, udot4 by feature)
__device__ inline int cass_dp4a(int a, int b, int c)
{
#if __has_builtin(__builtin_amdgcn_sdot4)
    return __builtin_amdgcn_sdot4(a, b, c, false);
#elif __has_builtin(__builtin_amdgcn_sudot4)
    return __builtin_amdgcn_sudot4(true, a, true, b, c, false);
#else
    unsigned sum = static_cast<unsigned>(c);
    for (unsigned i = 0; i < 4; ++i)
        sum += static_cast<unsigned>(cass_simd_part<4, true>(static_cast<unsigned>(a), i) * cass_simd_part<4, true>(static_cast<unsigned>(b), i));
    return static_cast<int>(sum);
#endif
}
__device__ inline unsigned cass_dp4a(unsigned a, unsigned b, unsigned c)
{
#if __has_builtin(__builtin_amdgcn_udot4)
    return __builtin_amdgcn_udot4(a, b, c, false);
#else
    for (unsigned i = 0; i < 4; ++i)
        c += static_cast<unsigned>(cass_simd_part<4, false>(a, i) * cass_simd_part<4, false>(b, i));
    return c;
#endif
}
__device__ inline int cass_dp4a(char4 a, char4 b, int c)
{
    return static_cast<int>(static_cast<unsigned>(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w) + static_cast<unsigned>(c));
}
__device__ inline unsigned cass_dp4a(uchar4 a, uchar4 b, unsigned c)
{
    return static_cast<unsigned>(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w) + c;
}
