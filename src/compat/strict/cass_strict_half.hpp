// name: cass_strict_half
// provides: cass_strict_hne, cass_strict_hne2, cass_strict_hbne2, cass_strict_hbequ2, cass_strict_hbneu2, cass_strict_hbgeu2, cass_strict_hbgtu2, cass_strict_hbleu2, cass_strict_hbltu2, cass_strict_hisinf
// replaces:
// strict: __hne, __hne2, __hbne2, __hbequ2, __hbneu2, __hbgeu2, __hbgtu2, __hbleu2, __hbltu2, __hisinf
// summary: Comparisons of halves and bfloat16 that are false for what is no number, or true in the unordered ones, as CUDA's are.
// source: CUDA Math API 13.0, half and bfloat16 comparison functions; measured on an H100, emulator/tools/surface.gold.xz
template <typename CassHalf>
__device__ inline bool cass_strict_hne(CassHalf x, CassHalf y)
{
    return __hlt(x, y) || __hgt(x, y);
}
// Not both of two can hold, so that a sum is 0 or 1.
template <typename CassPair>
__device__ inline CassPair cass_strict_hne2(CassPair x, CassPair y)
{
    return __hadd2(__hlt2(x, y), __hlt2(y, x));
}
// Whether both halves of what a comparison gave are 1, or both are 0.
template <typename CassPair>
__device__ inline bool cass_strict_ones(CassPair x)
{
    return __hbgt2(x, __hsub2(x, x));
}
template <typename CassPair>
__device__ inline bool cass_strict_zeros(CassPair x)
{
    return __hbeq2(x, __hsub2(x, x));
}
template <typename CassPair>
__device__ inline bool cass_strict_hbne2(CassPair x, CassPair y) { return cass_strict_ones(cass_strict_hne2(x, y)); }
template <typename CassPair>
__device__ inline bool cass_strict_hbequ2(CassPair x, CassPair y) { return cass_strict_zeros(cass_strict_hne2(x, y)); }
template <typename CassPair>
__device__ inline bool cass_strict_hbneu2(CassPair x, CassPair y) { return cass_strict_zeros(__heq2(x, y)); }
template <typename CassPair>
__device__ inline bool cass_strict_hbgeu2(CassPair x, CassPair y) { return cass_strict_zeros(__hlt2(x, y)); }
template <typename CassPair>
__device__ inline bool cass_strict_hbgtu2(CassPair x, CassPair y) { return cass_strict_zeros(__hle2(x, y)); }
template <typename CassPair>
__device__ inline bool cass_strict_hbleu2(CassPair x, CassPair y) { return cass_strict_zeros(__hlt2(y, x)); }
template <typename CassPair>
__device__ inline bool cass_strict_hbltu2(CassPair x, CassPair y) { return cass_strict_zeros(__hle2(y, x)); }
template <typename CassHalf>
__device__ inline int cass_strict_hisinf(CassHalf x)
{
    return !__hisinf(x) ? 0 : __hlt(x, __hneg(x)) ? -1 : 1;
}
