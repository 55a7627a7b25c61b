// name: cass_bfi
// provides: cass_bfi_b32, cass_bfi_b64
// replaces: bfi.b32, bfi.b64
// summary: Inserts a bit field into a number, with all positions and lengths that PTX allows (each modulo 256).
// source: PTX ISA 8.7, bfi
// nvidia: same
__host__ __device__ inline unsigned cass_bfi_b32(unsigned field, unsigned into, unsigned position, unsigned length)
{
    position &= 0xff;
    length &= 0xff;
    if (position >= 32)
        return into;
    unsigned mask = (length < 32 ? (1u << length) - 1 : ~(unsigned)0) << position;
    return (into & ~mask) | ((field << position) & mask);
}
__host__ __device__ inline unsigned long long cass_bfi_b64(unsigned long long field, unsigned long long into, unsigned position, unsigned length)
{
    position &= 0xff;
    length &= 0xff;
    if (position >= 64)
        return into;
    unsigned long long mask = (length < 64 ? (1ull << length) - 1 : ~(unsigned long long)0) << position;
    return (into & ~mask) | ((field << position) & mask);
}
