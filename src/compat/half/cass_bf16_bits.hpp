// name: cass_bf16_bits
// provides: cass_bf16_from_f32, cass_bf16x2_add, cass_bf16x2_sub, cass_bf16x2_mul, cass_bf16x2_fma
// replaces:
// summary: bfloat16 arithmetic on the bits that hold one number or two, rounded to nearest once.
// source: PTX ISA 8.7, half precision floating-point instructions and cvt; S. Boldo and G. Melquiond 2008 (rounding to odd)
// nvidia: same
__host__ __device__ inline unsigned short cass_bf16_from_f32(float value)
{
    unsigned bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return 0x7fff;
    return static_cast<unsigned short>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
__host__ __device__ inline float cass_bf16_to_f32(unsigned bits)
{
    float value;
    bits <<= 16;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}
// The float next to an exact double on the side of its odd neighbour: rounding that to bfloat16 is rounding the double.
__host__ __device__ inline float cass_odd_float(double exact)
{
    float nearest = static_cast<float>(exact);
    unsigned bits;
    __builtin_memcpy(&bits, &nearest, sizeof bits);
    bool inexact = exact != nearest && exact - exact == 0 && (bits & 0x7f800000u) != 0x7f800000u;
    if (inexact && !(bits & 1u)) {
        bool outward = nearest == 0.0f || (exact > nearest) == (nearest > 0.0f);
        bits = outward ? bits + 1u : bits - 1u;
    }
    __builtin_memcpy(&nearest, &bits, sizeof nearest);
    return nearest;
}
// The same of the sum of two doubles, of which one may be too small to show in a double.
__host__ __device__ inline float cass_odd_sum(double a, double b)
{
    #pragma clang fp contract(off) reassociate(off)
    double sum = a + b, other = sum - a;
    double error = (a - (sum - other)) + (b - other);
    unsigned long long bits;
    __builtin_memcpy(&bits, &sum, sizeof bits);
    if (error * 0.0 == 0.0 && error != 0.0 && !(bits & 1u))
        bits = (error > 0.0) == (sum > 0.0) ? bits + 1u : bits - 1u;
    __builtin_memcpy(&sum, &bits, sizeof sum);
    return cass_odd_float(sum);
}
template <typename CassF>
__host__ __device__ inline unsigned cass_bf16x2_map(unsigned a, unsigned b, unsigned c, CassF f)
{
    unsigned low = cass_bf16_from_f32(f(cass_bf16_to_f32(a & 0xffffu), cass_bf16_to_f32(b & 0xffffu), cass_bf16_to_f32(c & 0xffffu)));
    unsigned high = cass_bf16_from_f32(f(cass_bf16_to_f32(a >> 16), cass_bf16_to_f32(b >> 16), cass_bf16_to_f32(c >> 16)));
    return low | high << 16;
}
// A float holds the product of two bfloat16 numbers, and enough of their sum for one rounding to show.
__host__ __device__ inline unsigned cass_bf16x2_add(unsigned a, unsigned b)
{
    return cass_bf16x2_map(a, b, 0u, [](float x, float y, float) { return x + y; });
}
__host__ __device__ inline unsigned cass_bf16x2_sub(unsigned a, unsigned b)
{
    return cass_bf16x2_map(a, b, 0u, [](float x, float y, float) { return x - y; });
}
__host__ __device__ inline unsigned cass_bf16x2_mul(unsigned a, unsigned b)
{
    return cass_bf16x2_map(a, b, 0u, [](float x, float y, float) { return x * y; });
}
__host__ __device__ inline unsigned cass_bf16x2_fma(unsigned a, unsigned b, unsigned c)
{
    return cass_bf16x2_map(a, b, c, [](float x, float y, float z) { return cass_odd_sum(static_cast<double>(x) * y, z); });
}
