// name: cass_prmt
// provides: cass_prmt, cass_prmt_f4e, cass_prmt_b4e, cass_prmt_rc8, cass_prmt_ecl, cass_prmt_ecr, cass_prmt_rc16
// replaces: prmt.b32, prmt.b32.f4e, prmt.b32.b4e, prmt.b32.rc8, prmt.b32.ecl, prmt.b32.ecr, prmt.b32.rc16
// summary: Picks four bytes out of two words, by a selector or in one of the ways that PTX has names for.
// source: PTX ISA 8.7, prmt
// nvidia: same

// Each digit of `selector` names a byte of a (0 to 3) or b (4 to 7); 8 added to it asks for the sign of the byte instead.
__host__ __device__ inline unsigned cass_prmt(unsigned a, unsigned b, unsigned selector)
{
    unsigned long long bytes = static_cast<unsigned long long>(b) << 32 | a;
    unsigned result = 0;
    for (unsigned i = 0; i < 4; ++i) {
        unsigned digit = selector >> (4 * i) & 15;
        unsigned byte = static_cast<unsigned>(bytes >> (8 * (digit & 7))) & 0xff;
        if (digit & 8)
            byte = byte & 0x80 ? 0xff : 0;
        result |= byte << (8 * i);
    }
    return result;
}
__host__ __device__ inline unsigned cass_prmt_f4e(unsigned a, unsigned b, unsigned place)
{
    return cass_prmt(a, b, static_cast<unsigned>(0x6543543243213210ull >> (16 * (place & 3))));
}
__host__ __device__ inline unsigned cass_prmt_b4e(unsigned a, unsigned b, unsigned place)
{
    return cass_prmt(a, b, static_cast<unsigned>(0x0123701267015670ull >> (16 * (place & 3))));
}
__host__ __device__ inline unsigned cass_prmt_rc8(unsigned a, unsigned b, unsigned place)
{
    return cass_prmt(a, b, static_cast<unsigned>(0x3333222211110000ull >> (16 * (place & 3))));
}
__host__ __device__ inline unsigned cass_prmt_ecl(unsigned a, unsigned b, unsigned place)
{
    return cass_prmt(a, b, static_cast<unsigned>(0x3333322232113210ull >> (16 * (place & 3))));
}
__host__ __device__ inline unsigned cass_prmt_ecr(unsigned a, unsigned b, unsigned place)
{
    return cass_prmt(a, b, static_cast<unsigned>(0x3210221011100000ull >> (16 * (place & 3))));
}
__host__ __device__ inline unsigned cass_prmt_rc16(unsigned a, unsigned b, unsigned place)
{
    return cass_prmt(a, b, static_cast<unsigned>(0x3232101032321010ull >> (16 * (place & 3))));
}
