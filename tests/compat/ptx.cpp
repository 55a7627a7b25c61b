// helpers: cass_carry, cass_bf16_bits, cass_f32x2
//
// Carries against 128-bit arithmetic, bfloat16 results against the nearest of all its numbers, and pairs of floats.
#include "host_shim.hpp"
#include "helpers.hpp"

typedef unsigned __int128 wide;
static const unsigned long long parts[] = {0, 1, 2, 0x7fffffffull, 0x80000000ull, 0xffffffffull, 0x7fffffffffffffffull, 0x8000000000000000ull, 0xfffffffffffffffeull, 0xffffffffffffffffull};

template <typename T> static void carries()
{
    const unsigned bits = 8 * sizeof(T);
    for (unsigned long long x : parts)
        for (unsigned long long y : parts)
            for (unsigned before = 0; before < 2; ++before) {
                T a = static_cast<T>(x), b = static_cast<T>(y);
                unsigned carry = before;
                wide sum = static_cast<wide>(a) + b;
                CHECK(cass_add_cc(a, b, carry) == static_cast<T>(sum) && carry == static_cast<unsigned>(sum >> bits));
                carry = before;
                sum += before;
                CHECK(cass_addc_cc(a, b, carry) == static_cast<T>(sum) && carry == static_cast<unsigned>(sum >> bits));
                carry = before;
                CHECK(cass_sub_cc(a, b, carry) == static_cast<T>(a - b) && carry == (a < b));
                carry = before;
                bool borrows = static_cast<wide>(a) < static_cast<wide>(b) + before;
                CHECK(cass_subc_cc(a, b, carry) == static_cast<T>(a - b - before) && carry == borrows);
            }
}

static float number(unsigned bits)
{
    bits <<= 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// The nearest bfloat16 number, the even one of two; finite results alone.
static unsigned nearest(long double exact)
{
    unsigned low = 0, high = 0x7f7f;
    long double size = fabsl(exact);
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        (number(middle) <= size ? low : high) = middle;
    }
    long double below = size - number(low), above = number(high) - size;
    unsigned best = below < above || (below == above && !(low & 1)) ? low : high;
    return best | (std::signbit(exact) ? 0x8000u : 0u);
}

static void bfloats()
{
    const unsigned samples[] = {0x3f80, 0x3f81, 0xbf81, 0x3fff, 0x4049, 0x3b80, 0x3380, 0xb380, 0x42f7, 0xc2f7, 0x2f01, 0x4b7f, 0x3f88, 0x3f98, 0x3080, 0xb080};
    for (unsigned a : samples)
        for (unsigned b : samples) {
            long double x = number(a), y = number(b);
            if (x + y != 0) {
                CHECK(cass_bf16x2_add(a << 16, b << 16) >> 16 == nearest(x + y));
                CHECK((cass_bf16x2_sub(a, b ^ 0x8000u) & 0xffffu) == nearest(x + y));
            }
            CHECK((cass_bf16x2_mul(a, b) & 0xffffu) == nearest(x * y));
            for (unsigned c : samples)
                if (x * y + number(c) != 0)
                    CHECK((cass_bf16x2_fma(a, b, c) & 0xffffu) == nearest(x * y + number(c)));
        }
    // Products in the middle between two numbers: 2^-100 says to which side, and is far below the last bit of a double.
    CHECK((cass_bf16x2_fma(0x3f81, 0x3fc0, 0x8d80) & 0xffffu) == 0x3fc1 && (cass_bf16x2_fma(0x3f81, 0x3fc0, 0x0d80) & 0xffffu) == 0x3fc2);
    CHECK((cass_bf16x2_fma(0x3f83, 0x3fc0, 0x8d80) & 0xffffu) == 0x3fc4 && (cass_bf16x2_fma(0x3f83, 0x3fc0, 0x0d80) & 0xffffu) == 0x3fc5);
    CHECK(cass_bf16_from_f32(NAN) == 0x7fff && cass_bf16_from_f32(-INFINITY) == 0xff80);
    CHECK(cass_bf16_from_f32(3.4e38f) == 0x7f80 && cass_bf16_from_f32(-0.0f) == 0x8000);
}

static unsigned long long pair(float low, float high)
{
    float both[] = {low, high};
    unsigned long long bits;
    memcpy(&bits, both, sizeof bits);
    return bits;
}

static void pairs()
{
    unsigned long long a = pair(1.5f, -2.0f), b = pair(0.25f, 1e-8f), c = pair(-0.375f, 3.0f);
    CHECK(cass_f32x2_add(a, b) == pair(1.75f, -2.0f) && cass_f32x2_sub(a, b) == pair(1.25f, -2.0f));
    CHECK(cass_f32x2_mul(a, b) == pair(0.375f, -2e-8f) && cass_f32x2_fma(a, b, c) == pair(0.0f, 3.0f));
    // Rounded once: the product alone would lose the bit that is left.
    float x = 1.0f + 0x1p-23f;
    CHECK(cass_f32x2_fma(pair(x, 0), pair(x, 0), pair(-1.0f - 0x1p-22f, 0)) == pair(0x1p-46f, 0));
}

int main()
{
    pairs();
    carries<unsigned>();
    carries<unsigned long long>();
    bfloats();
    return finish();
}
