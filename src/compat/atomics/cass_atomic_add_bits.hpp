// name: cass_atomic_add_bits
// provides: cass_atomic_add_f16, cass_atomic_add_f16x2, cass_atomic_add_bf16, cass_atomic_add_bf16x2
// replaces:
// requires: cass_atomic_update, cass_bf16_bits, cass_f16_bits
// summary: Atomic sum of halves and bfloat16 numbers on the bits that hold one or two, by compare and swap; gives the bits that were there.
// source: PTX ISA 8.7, atom and red with .noftz
__device__ inline unsigned short cass_atomic_add_f16(unsigned short* address, unsigned short value)
{
    return cass_atomic_update_short(address, [=](unsigned short old) { return cass_f16_add(old, value); });
}
__device__ inline unsigned cass_atomic_add_f16x2(unsigned* address, unsigned value)
{
    return cass_atomic_update_word(address, [=](unsigned old) { return cass_f16x2_add(old, value); });
}
__device__ inline unsigned short cass_atomic_add_bf16(unsigned short* address, unsigned short value)
{
    return cass_atomic_update_short(address, [=](unsigned short old) { return static_cast<unsigned short>(cass_bf16x2_add(old, value)); });
}
__device__ inline unsigned cass_atomic_add_bf16x2(unsigned* address, unsigned value)
{
    return cass_atomic_update_word(address, [=](unsigned old) { return cass_bf16x2_add(old, value); });
}
// nvidia:
__device__ inline unsigned short cass_atomic_add_f16(unsigned short* address, unsigned short value)
{
    unsigned short seen;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(seen) : "l"(address), "h"(value) : "memory");
    return seen;
}
__device__ inline unsigned cass_atomic_add_f16x2(unsigned* address, unsigned value)
{
    unsigned seen;
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(seen) : "l"(address), "r"(value) : "memory");
    return seen;
}
__device__ inline unsigned short cass_atomic_add_bf16(unsigned short* address, unsigned short value)
{
    unsigned short seen;
    asm volatile("atom.add.noftz.bf16 %0, [%1], %2;" : "=h"(seen) : "l"(address), "h"(value) : "memory");
    return seen;
}
__device__ inline unsigned cass_atomic_add_bf16x2(unsigned* address, unsigned value)
{
    unsigned seen;
    asm volatile("atom.add.noftz.bf16x2 %0, [%1], %2;" : "=r"(seen) : "l"(address), "r"(value) : "memory");
    return seen;
}
