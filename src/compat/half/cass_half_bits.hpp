// name: cass_half_bits
// provides: cass_half_infinity, cass_half_is_nan, cass_half_order, cass_half_map
// replaces:
// includes: hip/hip_bf16.h, hip/hip_fp16.h
// summary: Bits of half and bfloat16 numbers and pairs: the infinity of the format, the NaN test, the order of numbers, and a map over elements.
// source: IEEE 754-2019 binary16; bfloat16 is the upper half of binary32
__host__ __device__ constexpr int cass_half_infinity(const __half*) { return 0x7c00; }
__host__ __device__ constexpr int cass_half_infinity(const __half2*) { return 0x7c00; }
__host__ __device__ constexpr int cass_half_infinity(const __hip_bfloat16*) { return 0x7f80; }
__host__ __device__ constexpr int cass_half_infinity(const __hip_bfloat162*) { return 0x7f80; }

template <typename CassH>
__host__ __device__ inline bool cass_half_is_nan(int bits)
{
    return (bits & 0x7fff) > cass_half_infinity(static_cast<const CassH*>(nullptr));
}

// Numbers compare as these integers do, both zeros as 0.
__host__ __device__ inline int cass_half_order(int bits)
{
    return bits & 0x8000 ? -(bits & 0x7fff) : bits;
}

// Applies f to the bits of each element, one or two of them, of a and b.
template <typename CassH, typename CassF>
__host__ __device__ inline CassH cass_half_map(CassH a, CassH b, CassF f)
{
    unsigned short x[sizeof(CassH) / 2], y[sizeof(CassH) / 2];
    __builtin_memcpy(x, static_cast<const void*>(&a), sizeof(CassH));
    __builtin_memcpy(y, static_cast<const void*>(&b), sizeof(CassH));
    for (unsigned i = 0; i < sizeof(CassH) / 2; ++i)
        x[i] = static_cast<unsigned short>(f(x[i], y[i]));
    __builtin_memcpy(static_cast<void*>(&a), x, sizeof(CassH));
    return a;
}
