// name: cass_bfe
// provides: cass_bfe_u32, cass_bfe_s32, cass_bfe_u64, cass_bfe_s64
// replaces: bfe.u32, bfe.s32, bfe.u64, bfe.s64
// summary: Bit field of a number, with all positions and lengths that PTX allows (each modulo 256).
// source: PTX ISA 8.7, bfe
// nvidia: same
__host__ __device__ inline unsigned cass_bfe_u32(unsigned a, unsigned position, unsigned length)
{
    position &= 0xff;
    length &= 0xff;
    unsigned field = position < 32 ? a >> position : 0;
    return length < 32 ? field & ((1u << length) - 1) : field;
}
__host__ __device__ inline int cass_bfe_s32(int a, unsigned position, unsigned length)
{
    position &= 0xff;
    length &= 0xff;
    if (length == 0)
        return 0;
    // Beyond its end the number goes on with its sign, and so does the field.
    int field = a >> (position < 32 ? position : 31);
    if (length >= 32)
        return field;
    return static_cast<int>(static_cast<unsigned>(field) << (32 - length)) >> (32 - length);
}
__host__ __device__ inline unsigned long long cass_bfe_u64(unsigned long long a, unsigned position, unsigned length)
{
    position &= 0xff;
    length &= 0xff;
    unsigned long long field = position < 64 ? a >> position : 0;
    return length < 64 ? field & ((1ull << length) - 1) : field;
}
__host__ __device__ inline long long cass_bfe_s64(long long a, unsigned position, unsigned length)
{
    position &= 0xff;
    length &= 0xff;
    if (length == 0)
        return 0;
    // Beyond its end the number goes on with its sign, and so does the field.
    long long field = a >> (position < 64 ? position : 63);
    if (length >= 64)
        return field;
    return static_cast<long long>(static_cast<unsigned long long>(field) << (64 - length)) >> (64 - length);
}
