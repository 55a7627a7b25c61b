// Numbers of 8 bits in PTX: each of them as a half, and all halves and many floats as one of them, against a search for the nearest.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__global__ void to_bytes(const float* floats, const unsigned* halves, unsigned short* results, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned short* at = results + 4 * i;
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(at[0]) : "f"(floats[2 * i + 1]), "f"(floats[2 * i]));
    asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(at[1]) : "f"(floats[2 * i + 1]), "f"(floats[2 * i]));
    asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(at[2]) : "r"(halves[i]));
    asm("cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;" : "=h"(at[3]) : "r"(halves[i]));
}

__global__ void to_halves(unsigned* results)
{
    const unsigned short bytes = static_cast<unsigned short>(threadIdx.x << 8 | (255 - threadIdx.x));
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(results[threadIdx.x]) : "h"(bytes));
    asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(results[256 + threadIdx.x]) : "h"(bytes));
}

// What the bits of a number with a sign, an exponent and a mantissa stand for.
double number(unsigned bits, int exponent, int mantissa)
{
    const int bias = (1 << (exponent - 1)) - 1, power = bits >> mantissa & ((1 << exponent) - 1), rest = bits & ((1 << mantissa) - 1);
    const double size = power == 0 ? ldexp(rest, 1 - bias - mantissa) : ldexp((1 << mantissa) + rest, power - bias - mantissa);
    return bits >> (exponent + mantissa) & 1 ? -size : size;
}

// The byte that is nearest to a value, with an even one of two that are as near; of those beyond the last it is the last.
unsigned nearest(double value, int exponent, int mantissa, unsigned last)
{
    if (std::isnan(value))
        return 0x7f;
    unsigned best = 0;
    double least = INFINITY;
    const double size = fmin(fabs(value), number(last, exponent, mantissa));
    for (unsigned byte = 0; byte <= last; ++byte) {
        const double away = fabs(number(byte, exponent, mantissa) - size);
        if (away < least || (away == least && byte % 2 == 0))
            best = byte, least = away;
    }
    return (std::signbit(value) ? 0x80 : 0) | best;
}

int main()
{
    const int count = 32768;
    static float floats[2 * count];
    static unsigned halves[count], words[512];
    static unsigned short results[4 * count];
    for (int i = 0; i < count; ++i)
        halves[i] = 2 * i | (2 * i + 1) << 16;
    for (int i = 0; i < 2 * count; ++i) {
        // All exponents, and mantissas around the middle between two neighbours.
        const unsigned bits = (i * 2654435761u & 0x80000000u) | (i % 256u) << 23 | (i * 40503u & 0x700000u) | (i / 256u % 4u) << 18 | i % 3u;
        memcpy(&floats[i], &bits, 4);
    }
    float* from;
    unsigned *pairs, *wide;
    unsigned short* to;
    cudaMalloc(&from, sizeof(floats));
    cudaMalloc(&pairs, sizeof(halves));
    cudaMalloc(&to, sizeof(results));
    cudaMalloc(&wide, sizeof(words));
    cudaMemcpy(from, floats, sizeof(floats), cudaMemcpyHostToDevice);
    cudaMemcpy(pairs, halves, sizeof(halves), cudaMemcpyHostToDevice);
    to_bytes<<<count / 256, 256>>>(from, pairs, to, count);
    to_halves<<<1, 256>>>(wide);
    cudaMemcpy(results, to, sizeof(results), cudaMemcpyDeviceToHost);
    cudaMemcpy(words, wide, sizeof(words), cudaMemcpyDeviceToHost);
    int wrong = 0;
    unsigned hash = 0;
    for (int i = 0; i < 8 * count; ++i) {
        const int way = i % 4, at = i / 4;
        const unsigned bits = halves[at / 2] >> (16 * (at % 2)) & 0xffffu;
        const bool is_nan = (bits & 0x7fffu) > 0x7c00u, is_infinite = (bits & 0x7fffu) == 0x7c00u;
        const double half = is_nan ? NAN : is_infinite ? (bits >> 15 ? -INFINITY : INFINITY) : number(bits, 5, 10);
        const double value = way < 2 ? floats[at] : half;
        const unsigned expected = way % 2 == 0 ? nearest(value, 4, 3, 0x7e) : nearest(value, 5, 2, 0x7b);
        const unsigned found = results[4 * (at / 2) + way] >> (8 * (at % 2)) & 0xffu;
        hash = hash * 31 + found;
        if (found != expected && ++wrong < 9)
            printf("way %d, %a: %02x instead of %02x\n", way, value, found, expected);
    }
    for (unsigned i = 0; i < 512; ++i)
        for (unsigned side = 0; side < 2; ++side) {
            const unsigned byte = side ? i % 256 : 255 - i % 256, half = words[i] >> (16 * side) & 0xffffu, size = byte & 0x7f;
            const bool is_nan = i < 256 ? size == 0x7f : size > 0x7c;
            const bool is_infinite = i >= 256 && size == 0x7c;
            const double value = i < 256 ? number(byte, 4, 3) : number(byte, 5, 2);
            const bool is_right = is_nan ? half == 0x7fff : is_infinite ? (half & 0x7fff) == 0x7c00 : number(half, 5, 10) == value;
            hash = hash * 31 + half;
            if (!is_right && ++wrong < 9)
                printf("byte %02x of %u: %04x\n", byte, i / 256, half);
        }
    printf("%d wrong, %08x: %s\n", wrong, hash, cudaGetErrorString(cudaGetLastError()));
    return wrong != 0;
}
