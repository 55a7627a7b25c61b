// Input numbers shared by the tests and by golden.cu: the same on every machine, a mix of random bits and edge cases.
#pragma once
#include <cstdint>
#include <cstring>

struct Inputs {
    uint64_t state;
    explicit Inputs(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15ull + 1) {}

    // splitmix64 (public domain algorithm of S. Vigna)
    uint64_t random()
    {
        uint64_t z = state += 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }

    // Words whose bytes and 16-bit halves are often at the ends of their ranges.
    uint32_t word()
    {
        static const uint32_t edges[8] = {0, 0xffffffffu, 0x7f7f7f7fu, 0x80808080u, 0x7fff7fffu, 0x80008000u, 0x00010001u, 0x01010101u};
        uint32_t bits = static_cast<uint32_t>(random()), choice = static_cast<uint32_t>(random());
        uint32_t mask = choice & 0x100 ? 0xffu : choice & 0x200 ? 0xffffu : choice & 0x400 ? 0xff00ff00u : 0;
        return (bits & ~mask) | (edges[choice & 7] & mask);
    }

    // Bits of a floating-point number with `exponent_bits` and `fraction_bits`: any exponent, close exponents, ties, ends of the range.
    uint64_t floating(unsigned exponent_bits, unsigned fraction_bits)
    {
        uint64_t bits = random(), choice = random();
        uint64_t fraction = (1ull << fraction_bits) - 1, exponents = (1ull << exponent_bits) - 1;
        uint64_t exponent = choice & 3 ? exponents / 2 - 4 + (choice >> 8) % 9 : (choice >> 8) % (exponents + 1);
        if ((choice & 0x30) == 0x30)
            exponent = choice & 0x40 ? (choice >> 16) % 3 : exponents - (choice >> 16) % 3;
        if ((choice & 0x0c) == 0x0c)
            bits &= ~(fraction >> (choice >> 32) % fraction_bits);
        return (bits >> 63) << (exponent_bits + fraction_bits) | exponent << fraction_bits | (bits & fraction);
    }

    template <typename T> T next();
};

template <typename T> inline T from_bits(uint64_t bits)
{
    T value;
    memcpy(static_cast<void*>(&value), &bits, sizeof(T));
    return value;
}
template <> inline uint32_t Inputs::next<uint32_t>() { return word(); }
template <> inline int32_t Inputs::next<int32_t>() { return static_cast<int32_t>(word()); }
template <> inline uint16_t Inputs::next<uint16_t>() { return static_cast<uint16_t>(word()); }
template <> inline int16_t Inputs::next<int16_t>() { return static_cast<int16_t>(word()); }
template <> inline long long Inputs::next<long long>() { return static_cast<long long>(random() >> random() % 64); }
template <> inline unsigned long long Inputs::next<unsigned long long>() { return random() >> random() % 64; }
template <> inline float Inputs::next<float>() { return from_bits<float>(floating(8, 23)); }
template <> inline double Inputs::next<double>() { return from_bits<double>(floating(11, 52)); }
template <> inline __half Inputs::next<__half>() { return from_bits<__half>(floating(5, 10)); }
template <> inline __hip_bfloat16 Inputs::next<__hip_bfloat16>() { return from_bits<__hip_bfloat16>(floating(8, 7)); }
template <> inline __half2 Inputs::next<__half2>()
{
    uint64_t low = floating(5, 10);
    return from_bits<__half2>(low | floating(5, 10) << 16);
}
template <> inline __hip_bfloat162 Inputs::next<__hip_bfloat162>()
{
    uint64_t low = floating(8, 7);
    return from_bits<__hip_bfloat162>(low | floating(8, 7) << 16);
}

// Bits of a result, with one pattern for all NaNs of a format (their payloads are not specified).
template <typename T> __host__ __device__ inline uint64_t result_bits(T value)
{
    uint64_t bits = 0;
    memcpy(&bits, static_cast<const void*>(&value), sizeof(T));
    return bits;
}
template <> __host__ __device__ inline uint64_t result_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return value != value ? 0x7fc00000u : bits;
}
template <> __host__ __device__ inline uint64_t result_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return value != value ? 0x7ff8000000000000ull : bits;
}
__host__ __device__ inline uint64_t quiet(uint64_t part, unsigned infinity) { return (part & 0x7fff) > infinity ? 0x7fff : part; }
template <> __host__ __device__ inline uint64_t result_bits(__half value)
{
    uint64_t bits = 0;
    memcpy(&bits, static_cast<const void*>(&value), sizeof(value));
    return quiet(bits, 0x7c00);
}
template <> __host__ __device__ inline uint64_t result_bits(__hip_bfloat16 value)
{
    uint64_t bits = 0;
    memcpy(&bits, static_cast<const void*>(&value), sizeof(value));
    return quiet(bits, 0x7f80);
}
template <> __host__ __device__ inline uint64_t result_bits(__half2 value)
{
    uint64_t bits = 0;
    memcpy(&bits, static_cast<const void*>(&value), sizeof(value));
    return quiet(bits & 0xffff, 0x7c00) | quiet(bits >> 16, 0x7c00) << 16;
}
template <> __host__ __device__ inline uint64_t result_bits(__hip_bfloat162 value)
{
    uint64_t bits = 0;
    memcpy(&bits, static_cast<const void*>(&value), sizeof(value));
    return quiet(bits & 0xffff, 0x7f80) | quiet(bits >> 16, 0x7f80) << 16;
}

// FNV-1a over 64-bit results.
struct Digest {
    uint64_t value = 0xcbf29ce484222325ull;
    void add(uint64_t bits)
    {
        for (int i = 0; i < 8; ++i, bits >>= 8)
            value = (value ^ (bits & 0xff)) * 0x100000001b3ull;
    }
};

constexpr int input_count = 100000;
