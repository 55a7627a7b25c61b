// helpers: cass_htanh, cass_floats2bfloat162, cass_half_bits, cass_half2int, cass_bf16_compare, cass_dpx_which, cass_simd_map
//
// What golden_check.cpp does not hold: functions whose last bit may differ from CUDA's, or that answer through pointers.
#include "host_shim.hpp"
#include "helpers.hpp"

static unsigned short bits(__half h) { return h.bits; }
static unsigned short bits(__hip_bfloat16 h) { return h.bits; }

static void tanh_of_every_number()
{
    for (unsigned i = 0; i < 0x10000; ++i) {
        __half h{static_cast<unsigned short>(i)};
        __hip_bfloat16 b{static_cast<unsigned short>(i)};
        double exact = std::tanh(static_cast<double>(__half2float(h)));
        int apart = bits(cass_htanh(h)) - bits(shim_half(exact));
        CHECK(std::isnan(exact) || (apart >= -1 && apart <= 1));
        CHECK(cass_htanh_approx(h).bits == cass_htanh(h).bits);
        exact = std::tanh(static_cast<double>(__bfloat162float(b)));
        apart = bits(cass_htanh(b)) - bits(shim_bfloat16(exact));
        CHECK(std::isnan(exact) || (apart >= -1 && apart <= 1));
    }
    __half2 pair = cass_h2tanh(__half2{{0x3c00}, {0xbc00}});
    CHECK(pair.x.bits == 0x3a18 && pair.y.bits == 0xba18); // tanh(1) = 0.76159
    CHECK(cass_h2tanh_approx(__half2{{0}, {0x7c00}}).y.bits == 0x3c00);
    __hip_bfloat162 brain = cass_h2tanh(__hip_bfloat162({0x3f80}, {0xff80}));
    CHECK(brain.x.bits == 0x3f43 && brain.y.bits == 0xbf80);
}

static void pairs()
{
    __hip_bfloat162 pair = cass_make_bfloat162({1}, {2});
    CHECK(pair.x.bits == 1 && pair.y.bits == 2);
    pair = cass_floats2bfloat162_rn(1.0f, -2.0f);
    CHECK(pair.x.bits == 0x3f80 && pair.y.bits == 0xc000);
    pair = cass_float2bfloat162_rn(1.0f);
    CHECK(pair.x.bits == 0x3f80 && pair.y.bits == 0x3f80);
}

// What an NVIDIA H100 answers, surface.py has more of it.
static void whole_numbers()
{
    const __half m1_5{0xbe00}, h2_5{0x4100}, h300_75{0x5cb3}, inf{0x7c00}, nan{0x7e00};
    CHECK(cass_half2int_rn(m1_5) == -2 && cass_half2int_rd(m1_5) == -2 && cass_half2int_ru(m1_5) == -1 && cass_half2int_rz(m1_5) == -1);
    CHECK(cass_half2int_rn(h2_5) == 2 && cass_half2int_ru(h2_5) == 3 && cass_half2int_rn(h300_75) == 301);
    CHECK(cass_half2uint_ru(h2_5) == 3u && cass_half2uint_rn(m1_5) == 0u && cass_half2ushort_ru(h300_75) == 301);
    CHECK(cass_half2short_rn(inf) == 32767 && cass_half2short_rn(nan) == 0 && cass_half2int_rz(inf) == 2147483647 && cass_half2int_rz(nan) == 0);
    CHECK(cass_half2ll_rn(inf) == 0x7fffffffffffffffll && cass_half2ll_rd(m1_5) == -2 && cass_half2ll_rn(nan) == -0x7fffffffffffffffll - 1);
    CHECK(cass_half2ull_rn(inf) == ~0ull && cass_half2ull_rn(m1_5) == 0 && cass_half2ull_rn(nan) == 1ull << 63);
}

static void compared_pairs()
{
    __hip_bfloat162 pair = cass_hgt2(__hip_bfloat162({0x4000}, {0x3f80}), __hip_bfloat162({0x3f80}, {0x4000}));
    CHECK(pair.x.bits == 0x3f80 && pair.y.bits == 0);
    pair = cass_hisnan2(__hip_bfloat162({0x7fc0}, {0x3f80}));
    CHECK(pair.x.bits == 0x3f80 && pair.y.bits == 0);
    __half2 halves = cass_hgt2(__half2{{0x7e00}, {0x4000}}, __half2{{0}, {0xc000}});
    CHECK(halves.x.bits == 0 && halves.y.bits == 0x3c00);
}

static void which()
{
    const int numbers[] = {-0x7fffffff - 1, -40000, -1, 0, 1, 40000, 0x7fffffff};
    for (int a : numbers) {
        for (int b : numbers) {
            bool first = false, high = false, low = false;
            CHECK(cass_vibmax_s32(a, b, &first) == (a > b ? a : b) && first == (a >= b));
            CHECK(cass_vibmin_s32(a, b, &first) == (a < b ? a : b) && first == (a <= b));
            unsigned u = static_cast<unsigned>(a), v = static_cast<unsigned>(b);
            CHECK(cass_vibmax_u32(u, v, &first) == (u > v ? u : v) && first == (u >= v));
            CHECK(cass_vibmin_u32(u, v, &first) == (u < v ? u : v) && first == (u <= v));
            unsigned words = (u & 0xffff) | (v << 16), other = (v & 0xffff) | (u << 16);
            short s = static_cast<short>(a), t = static_cast<short>(b);
            unsigned short p = static_cast<unsigned short>(a), q = static_cast<unsigned short>(b);
            auto joined = [](int x, int y) { return (static_cast<unsigned>(x) & 0xffff) | static_cast<unsigned>(y) << 16; };
            CHECK(cass_vibmax_s16x2(words, other, &high, &low) == joined(s > t ? s : t, s > t ? s : t) && low == (s >= t) && high == (t >= s));
            CHECK(cass_vibmin_s16x2(words, other, &high, &low) == joined(s < t ? s : t, s < t ? s : t) && low == (s <= t) && high == (t <= s));
            CHECK(cass_vibmax_u16x2(words, other, &high, &low) == joined(p > q ? p : q, p > q ? p : q) && low == (p >= q) && high == (q >= p));
            CHECK(cass_vibmin_u16x2(words, other, &high, &low) == joined(p < q ? p : q, p < q ? p : q) && low == (p <= q) && high == (q <= p));
        }
    }
}

int main()
{
    tanh_of_every_number();
    pairs();
    whole_numbers();
    compared_pairs();
    which();
    return finish();
}
