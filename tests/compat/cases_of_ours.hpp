// The functions of cases.hpp with our helpers.
#pragma once
__host__ __device__ inline uint32_t cass_bfi_three(uint32_t x, uint32_t y, uint32_t z)
{
    return bfi_of_three(x, y, z, [](uint32_t f, uint32_t into, unsigned p, unsigned n) { return cass_bfi_b32(f, into, p, n); });
}
__host__ __device__ inline unsigned long long cass_bfi_three_wide(unsigned long long x, unsigned long long y, unsigned long long z)
{
    return bfi_of_three(x, y, z, [](unsigned long long f, unsigned long long into, unsigned p, unsigned n) { return cass_bfi_b64(f, into, p, n); });
}
template <unsigned Table> struct OurLogic {
    static __host__ __device__ uint32_t of(uint32_t a, uint32_t b, uint32_t c) { return cass_lop3<Table>(a, b, c); }
};
__host__ __device__ inline uint32_t cass_lop3_each(uint32_t a, uint32_t b, uint32_t c)
{
    return lop3_of_each<OurLogic>(a, b, c);
}
