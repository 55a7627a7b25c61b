// What PTX means, bit by bit from its manual, against what the translation does.
#include "shim.hpp"
#include "translated.inc"

static int failures = 0;
template <typename A, typename B> void same(A got, B expected, const char* what, unsigned a, unsigned b, unsigned c)
{
    if (got != static_cast<A>(expected) && ++failures <= 20)
        std::printf("%s(%x, %x, %x): %llx, expected %llx\n", what, a, b, c, static_cast<unsigned long long>(got), static_cast<unsigned long long>(expected));
}

typedef unsigned long long wide;
static const unsigned words[] = {0, 1, 2, 3, 5, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x12345678, 0x7fffffff, 0x80000000, 0x80000001, 0xdeadbeef, 0xfedcba98, 0xfffffffe, 0xffffffff};
static const unsigned places[] = {0, 1, 4, 7, 8, 15, 16, 23, 31, 32, 33, 47, 63, 64, 65, 127, 128, 255, 256, 257, 288, 0xffffffff};

static unsigned ref_bfe(bool is_signed, unsigned a, unsigned b, unsigned c)
{
    unsigned pos = b & 255u, len = c & 255u, msb = 31;
    bool sign = is_signed && len != 0 && (a >> std::min(pos + len - 1u, msb) & 1u);
    unsigned d = 0;
    for (unsigned i = 0; i <= msb; ++i)
        if (i < len && pos + i <= msb ? a >> (pos + i) & 1u : sign) d |= 1u << i;
    return d;
}
static unsigned ref_bfi(unsigned a, unsigned b, unsigned c, unsigned d)
{
    unsigned pos = c & 255u, len = d & 255u, f = b;
    for (unsigned i = 0; i < len && pos + i <= 31u; ++i)
        f = (f & ~(1u << (pos + i))) | (a >> i & 1u) << (pos + i);
    return f;
}
static unsigned ref_bfind(unsigned a, bool is_signed)
{
    if (is_signed && a >> 31) a = ~a;
    for (int i = 31; i >= 0; --i)
        if (a >> i & 1u) return static_cast<unsigned>(i);
    return 0xffffffffu;
}
static unsigned bit_of(unsigned lo, unsigned hi, unsigned i) { return i < 32 ? lo >> i & 1u : i < 64 ? hi >> (i - 32) & 1u : 0u; }
static unsigned ref_shf(int mode, unsigned a, unsigned b, unsigned c)
{
    unsigned n = mode & 1 ? std::min(c, 32u) : c & 31u, d = 0;
    for (unsigned i = 0; i < 32; ++i)
        d |= (mode < 2 ? bit_of(a, b, 32u + i - n) : bit_of(a, b, i + n)) << i;
    return d;
}
static unsigned byte_of(unsigned a, unsigned b, unsigned selector)
{
    unsigned byte = ((selector & 7u) < 4 ? a >> 8 * (selector & 3u) : b >> 8 * (selector & 3u)) & 255u;
    return selector & 8u ? (byte & 128u ? 255u : 0u) : byte;
}
static unsigned pick(unsigned a, unsigned b, unsigned b3, unsigned b2, unsigned b1, unsigned b0)
{
    return byte_of(a, b, b3) << 24 | byte_of(a, b, b2) << 16 | byte_of(a, b, b1) << 8 | byte_of(a, b, b0);
}
static unsigned ref_prmt(int mode, unsigned a, unsigned b, unsigned c)
{
    // Rows of the table in the manual: d.b3 to d.b0 for c[1:0] = 0 … 3.
    static const unsigned char f4e[4][4] = {{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}};
    static const unsigned char b4e[4][4] = {{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}};
    static const unsigned char ecl[4][4] = {{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}};
    static const unsigned char ecr[4][4] = {{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}};
    unsigned k = c & 3u;
    auto row = [&](const unsigned char (&t)[4][4]) { return pick(a, b, t[k][0], t[k][1], t[k][2], t[k][3]); };
    switch (mode) {
    case 0: return pick(a, b, c >> 12 & 15u, c >> 8 & 15u, c >> 4 & 15u, c & 15u);
    case 1: return row(f4e);
    case 2: return row(b4e);
    case 3: return pick(a, b, k, k, k, k);
    case 4: return row(ecl);
    case 5: return row(ecr);
    case 6: return k & 1u ? pick(a, b, 3, 2, 3, 2) : pick(a, b, 1, 0, 1, 0);
    case 7: return pick(a, b, 5, 1, 4, 0);
    default: return pick(a, b, 15, 8, 4, 11);
    }
}
static unsigned ref_shift(int mode, unsigned a, unsigned b)
{
    if (mode == 3) b = 31;
    if (mode == 4) b = 7;
    if (mode == 5) b = 40;
    unsigned d = 0;
    for (unsigned i = 0; i < 32; ++i) {
        wide from = mode == 0 || mode == 3 ? static_cast<wide>(i) - b : static_cast<wide>(i) + b;
        bool fill = (mode == 2 || mode == 4) && a >> 31;
        if (from < 32 ? a >> from & 1u : fill) d |= 1u << i;
    }
    return d;
}
static int ref_arithmetic(int mode, int a, int b, int c)
{
    __int128 x = a, y = b, z = c;
    unsigned ua = static_cast<unsigned>(a), ub = static_cast<unsigned>(b);
    auto low = [](__int128 v) { return static_cast<int>(static_cast<unsigned>(v)); };
    auto clamp = [](__int128 v) { return static_cast<int>(std::min<__int128>(std::max<__int128>(v, -2147483648ll), 2147483647ll)); };
    int bits = 0, leading = 0;
    unsigned reversed = 0;
    for (int i = 0; i < 32; ++i) { bits += ua >> i & 1u; reversed = reversed << 1 | (ua >> i & 1u); }
    while (leading < 32 && !(ua >> (31 - leading) & 1u)) ++leading;
    __int128 dot = z, sad = z;
    for (int i = 0; i < 4; ++i) {
        dot += static_cast<int>(static_cast<signed char>(ua >> 8 * i)) * static_cast<int>(static_cast<signed char>(ub >> 8 * i));
        int left = static_cast<int>(ua >> 8 * i & 255u), right = static_cast<int>(ub >> 8 * i & 255u);
        sad += left > right ? left - right : right - left;
    }
    switch (mode) {
    case 0: return low(x * y + z);
    case 1: return low((x > y ? x - y : y - x) + z);
    case 2: return static_cast<int>((ua > ub ? ua - ub : ub - ua) + static_cast<unsigned>(c));
    case 3: return low(x < 0 ? -x : x);
    case 4: return low(-x);
    case 5: return static_cast<int>(ua < ub ? ua : ub);
    case 6: return a > b ? a : b;
    case 7: return clamp(x + y);
    case 8: return clamp(x - y);
    case 9: return c >= 0 ? a : b;
    case 10: return a == 0;
    case 11: return bits;
    case 12: return static_cast<int>(reversed);
    case 13: return leading;
    case 14: return low((x * y >> 32) + z);
    case 15: return low(dot);
    case 17: return std::max(std::min(a, b), c);
    case 18: return static_cast<int>(std::min(std::max(ua, ub), static_cast<unsigned>(c)));
    case 19: return low((x > y ? x - y : y - x) + z);
    case 20: return low(x + y + z);
    default: return low(sad);
    }
}
// Rounds to bfloat16 by looking at all its neighbours: the nearest, the even one of two.
static unsigned ref_bf16(long double x)
{
    if (x != x) return 0x7fff;
    unsigned best = 0;
    long double distance = -1;
    for (unsigned bits = 0; bits < 0x10000u; ++bits) {
        float f = __uint_as_float(bits << 16);
        if (f != f || std::isinf(f) || std::signbit(f) != std::signbit(x)) continue;
        long double d = std::fabs(static_cast<long double>(f) - x);
        if (distance < 0 || d < distance || (d == distance && !(bits & 1u))) { best = bits; distance = d; }
    }
    return best;
}

static void check_words()
{
    for (unsigned a : words) {
        same(bfind_u32(a), ref_bfind(a, false), "bfind.u32", a, 0, 0);
        same(bfind_s32(static_cast<int>(a)), ref_bfind(a, true), "bfind.s32", a, 0, 0);
        unsigned top = ref_bfind(a, false);
        same(bfind_shiftamt(a), top == 0xffffffffu ? top : 31u - top, "bfind.shiftamt", a, 0, 0);
        same(bfe_constant(a), ref_bfe(false, a, 4, 8) + ref_bfe(false, a, 0, 31) * 3u + ref_bfe(false, a, 31, 31) * 7u, "bfe constants", a, 0, 0);
        same(swapped_halves(a), a << 16 | a >> 16, "mov.b32 halves", a, 0, 0);
        for (unsigned b : words) {
            int ia = static_cast<int>(a), ib = static_cast<int>(b);
            same(mul_hi_u32(a, b), static_cast<wide>(a) * b >> 32, "mul.hi.u32", a, b, 0);
            same(mul_hi_s32(ia, ib), static_cast<long long>(ia) * ib >> 32, "mul.hi.s32", a, b, 0);
            same(mul_wide(0, ia, ib), static_cast<long long>(ia) * ib, "mul.wide.s32", a, b, 0);
            same(mul_wide(1, ia, ib), static_cast<wide>(a) * b, "mul.wide.u32", a, b, 0);
            same(mul_wide(2, ia, ib), static_cast<wide>(a) * b - 5u, "mad.wide.u32", a, b, 0);
            same(mul_wide(3, ia, ib), static_cast<long long>(ia) * ib + 7, "mad.wide.s32", a, b, 0);
            same(exchange(a, b), b * 3u + a, "exchange", a, b, 0);
            same(unsigned_below(ia, ib), a < b ? -1 : 5, "setp.lt.u32", a, b, 0);
            wide packed = static_cast<wide>(b) << 32 | a;
            same(shim_bits<wide>(packed_double(a, b)), packed, "mov.b64 double", a, b, 0);
            for (unsigned c : words)
                for (int mode = 0; mode < 17; ++mode)
                    same(arithmetic(mode, ia, ib, static_cast<int>(c)), ref_arithmetic(mode, ia, ib, static_cast<int>(c)), "arithmetic", a, b, c * 100u + static_cast<unsigned>(mode));
        }
    }
}
static void check_fields()
{
    for (unsigned a : words)
        for (unsigned b : places) {
            for (int mode = 0; mode < 6; ++mode)
                same(shift(mode, a, b), ref_shift(mode, a, b), "shift", a, b, static_cast<unsigned>(mode));
            for (unsigned c : places) {
                same(bfe_u32(a, b, c), ref_bfe(false, a, b, c), "bfe.u32", a, b, c);
                same(bfe_s32(static_cast<int>(a), b, c), ref_bfe(true, a, b, c), "bfe.s32", a, b, c);
                for (unsigned into : {0u, 0xffffffffu, 0x5a5a1234u})
                    same(bfi_b32(a, into, b, c), ref_bfi(a, into, b, c), "bfi.b32", a, b, c);
            }
            for (unsigned high : words) {
                for (int mode = 0; mode < 4; ++mode)
                    same(shf(mode, a, high, b), ref_shf(mode, a, high, b), "shf", a, high, b);
                for (int mode = 0; mode < 9; ++mode)
                    for (unsigned selector : {b, 0x3210u, 0x7654u, 0xfedcu, 0x89abu, 0x0123u, 0x4f80u})
                        same(prmt(mode, a, high, selector), ref_prmt(mode, a, high, selector), "prmt", a, high, selector);
            }
        }
}
static void check_chains()
{
    const wide parts[] = {0, 1, 0x7fffffffffffffffull, 0x8000000000000000ull, 0xffffffffffffffffull, 0x123456789abcdef0ull};
    for (unsigned i = 0; i < 6 * 6 * 6 * 6; ++i) {
        wide a[4] = {parts[i % 6], parts[i / 6 % 6], parts[i / 36 % 6], parts[i / 216]};
        wide b[4] = {parts[i / 216], parts[i % 6], parts[(i + 1) % 6], parts[i / 6 % 6]};
        wide r[4], expected[4];
        unsigned carry = 0;
        for (int k = 0; k < 4; ++k) {
            unsigned __int128 sum = static_cast<unsigned __int128>(a[k]) + b[k] + carry;
            expected[k] = static_cast<wide>(sum);
            carry = static_cast<unsigned>(sum >> 64);
        }
        add_256(r, a, b);
        for (int k = 0; k < 4; ++k) same(r[k], expected[k], "add.cc.u64", i, static_cast<unsigned>(k), 0);
        add_256(a, a, b);
        for (int k = 0; k < 4; ++k) same(a[k], expected[k], "add.cc.u64 in place", i, static_cast<unsigned>(k), 0);
    }
    for (unsigned x : words)
        for (unsigned y : words)
            for (unsigned z : words) {
                unsigned a[3] = {x, y, z}, b[3] = {y, z, x ^ 0x80u}, r[3];
                auto value = [](const unsigned* w) { return static_cast<unsigned __int128>(w[2]) << 64 | static_cast<wide>(w[1]) << 32 | w[0]; };
                unsigned __int128 difference = value(a) - value(b);
                sub_96(r, a, b);
                for (int k = 0; k < 3; ++k) same(r[k], static_cast<unsigned>(difference >> 32 * k), "sub.cc.u32", x, y, z);
                unsigned __int128 product = static_cast<unsigned __int128>(x) * (static_cast<wide>(z) << 32 | y) + 9u;
                unsigned factor[2] = {y, z};
                mul_add_96(r, x, factor, 9u);
                for (int k = 0; k < 3; ++k) same(r[k], static_cast<unsigned>(product >> 32 * k), "mad.cc.u32", x, y, z);
            }
}
static void check_logic()
{
    for (unsigned table = 0; table < 256; ++table) {
        // All eight rows of the truth table at once, in the low byte and above it inverted.
        unsigned a = 0x0ff0f0f0u, b = 0x33ccccccu, c = 0x55aaaaaau, expected = 0;
        for (int i = 0; i < 32; ++i)
            expected |= (table >> ((a >> i & 1u) * 4u + (b >> i & 1u) * 2u + (c >> i & 1u)) & 1u) << i;
        same(logic(table, a, b, c), expected, "lop3", table, 0, 0);
        same(logic_any(table, a, b, c), expected, "lop3 by helper", table, 0, 0);
    }
}
static void check_floats()
{
    const float floats[] = {0.0f, -0.0f, 0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 254.5f, 255.5f, 300.0f, -300.0f, 3.4e5f, INFINITY, NAN};
    for (float a : floats)
        for (float b : floats) {
            bool unordered = a != a || b != b;
            bool results[] = {!unordered && a != b, a != b, unordered || a == b, unordered || a < b, unordered, a >= b};
            for (int mode = 0; mode < 6; ++mode)
                same(compared(mode, a, b), results[mode] ? (mode == 5 ? -1 : 1) : 0, "setp.f32", __float_as_uint(a), __float_as_uint(b), static_cast<unsigned>(mode));
        }
    for (float x : floats) {
        unsigned bits = __float_as_uint(x);
        same(converted(5, x, 0), static_cast<int>(bits), "mov.b32 of a float", bits, 0, 0);
        if (x == x && !std::isinf(x)) {
            same(converted(0, x, 0), static_cast<int>(std::nearbyint(x)), "cvt.rni", bits, 0, 0);
            same(converted(6, x, 0), static_cast<int>(std::floor(x)), "cvt.rmi", bits, 0, 0);
        }
        // A NaN fails every comparison and is 0.
        same(converted(1, x, 0), x > 255 ? 255 : x > 0 ? static_cast<int>(x) : 0, "cvt.rzi.sat.u8", bits, 0, 0);
        int near = x > 127 ? 127 : x < -128 ? -128 : x == x ? static_cast<int>(std::nearbyint(x)) : 0;
        same(converted(7, x, 0), near, "cvt.rni.sat.s8", bits, 0, 0);
    }
    for (unsigned word : words) {
        int i = static_cast<int>(word);
        same(converted(2, 0, i), i < -128 ? -128 : i > 127 ? 127 : i, "cvt.sat.s8", word, 0, 0);
        same(converted(3, 0, i), static_cast<int>(static_cast<signed char>(word & 255u)), "cvt.s32.s8", word, 0, 0);
        same(converted(4, 0, i), static_cast<int>(word & 65535u), "cvt.u32.u16", word, 0, 0);
    }
    for (int x = -6; x < 12; ++x)
        same(clamp_block(x, 0, 5), x < 0 ? 0 : x > 5 ? 5 : x, "block", static_cast<unsigned>(x), 0, 0);
    const unsigned halves[] = {0x3f80, 0x3f81, 0xbf81, 0x4049, 0x3f88, 0x3f98, 0x3080, 0xb080};
    for (unsigned a : halves)
        for (unsigned b : halves)
            for (unsigned c : halves) {
                long double x = __uint_as_float(a << 16), y = __uint_as_float(b << 16), z = __uint_as_float(c << 16);
                long double exact = x * y + z;
                if (std::fabs(exact) > 3e38L || std::fabs(exact) < 1e-37L) continue;
                same(bf16_fma(a, b, c) & 0xffffu, ref_bf16(exact), "fma.rn.bf16x2", a, b, c);
            }
    same(bf16_pair(1.0f, -2.0f), 0x3f80c000u, "cvt.rn.bf16x2", 0, 0, 0);
    same(bf16_pair(NAN, INFINITY), 0x7fff7f80u, "cvt.rn.bf16x2", 1, 0, 0);
}

int main()
{
    check_words();
    check_fields();
    check_chains();
    check_logic();
    check_floats();
    if (failures) std::printf("%d differences\n", failures);
    return failures != 0;
}
