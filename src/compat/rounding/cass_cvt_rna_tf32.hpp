// name: cass_cvt_rna_tf32
// provides: cass_cvt_rna_tf32
// replaces: cvt.rna.tf32.f32
// summary: Bits of a float rounded to the 10 fraction bits of tf32, to nearest with halves away from zero.
// source: PTX ISA 8.7, cvt.rna.tf32.f32
// nvidia: same
__host__ __device__ inline unsigned cass_cvt_rna_tf32(float value)
{
    unsigned bits;
    __builtin_memcpy(&bits, &value, sizeof(bits));
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return 0x7fffffffu;
    if ((bits & 0x7f800000u) == 0x7f800000u)
        return bits;
    return (bits + 0x1000u) & ~0x1fffu;
}
