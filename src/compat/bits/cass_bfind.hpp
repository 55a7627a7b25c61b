// name: cass_bfind
// provides: cass_bfind_u32, cass_bfind_s32, cass_bfind_shiftamt_u32, cass_bfind_shiftamt_s32, cass_bfind_u64, cass_bfind_s64, cass_bfind_shiftamt_u64, cass_bfind_shiftamt_s64
// replaces: bfind.u32, bfind.s32, bfind.shiftamt.u32, bfind.shiftamt.s32, bfind.u64, bfind.s64, bfind.shiftamt.u64, bfind.shiftamt.s64
// summary: Position of the highest bit that is not the sign, or the shift that brings it to the top; all ones if there is none.
// source: PTX ISA 8.7, bfind
// nvidia: same
__host__ __device__ inline unsigned cass_bfind_u32(unsigned a)
{
    return a == 0 ? 0xffffffffu : 31u - static_cast<unsigned>(__builtin_clz(a));
}
__host__ __device__ inline unsigned cass_bfind_s32(int a)
{
    return cass_bfind_u32(static_cast<unsigned>(a < 0 ? ~a : a));
}
__host__ __device__ inline unsigned cass_bfind_shiftamt_u32(unsigned a)
{
    return a == 0 ? 0xffffffffu : static_cast<unsigned>(__builtin_clz(a));
}
__host__ __device__ inline unsigned cass_bfind_shiftamt_s32(int a)
{
    return cass_bfind_shiftamt_u32(static_cast<unsigned>(a < 0 ? ~a : a));
}
__host__ __device__ inline unsigned cass_bfind_u64(unsigned long long a)
{
    return a == 0 ? 0xffffffffu : 63u - static_cast<unsigned>(__builtin_clzll(a));
}
__host__ __device__ inline unsigned cass_bfind_s64(long long a)
{
    return cass_bfind_u64(static_cast<unsigned long long>(a < 0 ? ~a : a));
}
__host__ __device__ inline unsigned cass_bfind_shiftamt_u64(unsigned long long a)
{
    return a == 0 ? 0xffffffffu : static_cast<unsigned>(__builtin_clzll(a));
}
__host__ __device__ inline unsigned cass_bfind_shiftamt_s64(long long a)
{
    return cass_bfind_shiftamt_u64(static_cast<unsigned long long>(a < 0 ? ~a : a));
}
