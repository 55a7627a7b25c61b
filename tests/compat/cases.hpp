// Functions of three operands for what cases.inc cannot name: four operands, and a constant operand (all its values at once).
#pragma once
#include <cstdint>

template <typename W, typename Insert> __host__ __device__ inline W bfi_of_three(W field, W into, W places, Insert insert)
{
    return insert(field, into, static_cast<unsigned>(places & 0x3f), static_cast<unsigned>(places >> 8 & 0x7f));
}

// Logic<Table>::of is one logical function; the sum tells all 256 apart.
template <template <unsigned> class Logic, unsigned First = 0, unsigned Count = 256>
__host__ __device__ inline uint32_t lop3_of_each(uint32_t a, uint32_t b, uint32_t c)
{
    if constexpr (Count == 1)
        return (2 * First + 1) * Logic<First>::of(a, b, c);
    else
        return lop3_of_each<Logic, First, Count / 2>(a, b, c) + lop3_of_each<Logic, First + Count / 2, Count / 2>(a, b, c);
}
