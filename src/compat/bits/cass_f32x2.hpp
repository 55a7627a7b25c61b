// name: cass_f32x2
// provides: cass_f32x2_add, cass_f32x2_sub, cass_f32x2_mul, cass_f32x2_fma
// replaces:
// includes: cmath
// summary: Arithmetic on the two floats that 64 bits hold; gfx90a and later have packed instructions that the compiler finds.
// source: PTX ISA 8.7, add, sub, mul and fma with .f32x2; AMD CDNA 2 ISA, V_PK_FMA_F32
template <typename CassF>
__host__ __device__ inline unsigned long long cass_f32x2_map(unsigned long long a, unsigned long long b, unsigned long long c, CassF f)
{
    float x[2], y[2], z[2];
    __builtin_memcpy(x, &a, sizeof a);
    __builtin_memcpy(y, &b, sizeof b);
    __builtin_memcpy(z, &c, sizeof c);
    float result[2] = {f(x[0], y[0], z[0]), f(x[1], y[1], z[1])};
    __builtin_memcpy(&a, result, sizeof a);
    return a;
}
__host__ __device__ inline unsigned long long cass_f32x2_add(unsigned long long a, unsigned long long b)
{
    return cass_f32x2_map(a, b, 0, [](float x, float y, float) {
        #pragma clang fp contract(off)
        return x + y;
    });
}
__host__ __device__ inline unsigned long long cass_f32x2_sub(unsigned long long a, unsigned long long b)
{
    return cass_f32x2_map(a, b, 0, [](float x, float y, float) {
        #pragma clang fp contract(off)
        return x - y;
    });
}
__host__ __device__ inline unsigned long long cass_f32x2_mul(unsigned long long a, unsigned long long b)
{
    return cass_f32x2_map(a, b, 0, [](float x, float y, float) {
        #pragma clang fp contract(off)
        return x * y;
    });
}
__host__ __device__ inline unsigned long long cass_f32x2_fma(unsigned long long a, unsigned long long b, unsigned long long c)
{
    return cass_f32x2_map(a, b, c, [](float x, float y, float z) { return ::fmaf(x, y, z); });
}
// nvidia:
template <typename CassF>
__device__ inline unsigned long long cass_f32x2_map(unsigned long long a, unsigned long long b, unsigned long long c, CassF f)
{
    float x[2], y[2], z[2];
    memcpy(x, &a, sizeof a);
    memcpy(y, &b, sizeof b);
    memcpy(z, &c, sizeof c);
    float result[2] = {f(x[0], y[0], z[0]), f(x[1], y[1], z[1])};
    memcpy(&a, result, sizeof a);
    return a;
}
__device__ inline unsigned long long cass_f32x2_add(unsigned long long a, unsigned long long b)
{
    return cass_f32x2_map(a, b, 0, [](float x, float y, float) { return __fadd_rn(x, y); });
}
__device__ inline unsigned long long cass_f32x2_sub(unsigned long long a, unsigned long long b)
{
    return cass_f32x2_map(a, b, 0, [](float x, float y, float) { return __fsub_rn(x, y); });
}
__device__ inline unsigned long long cass_f32x2_mul(unsigned long long a, unsigned long long b)
{
    return cass_f32x2_map(a, b, 0, [](float x, float y, float) { return __fmul_rn(x, y); });
}
__device__ inline unsigned long long cass_f32x2_fma(unsigned long long a, unsigned long long b, unsigned long long c)
{
    return cass_f32x2_map(a, b, c, [](float x, float y, float z) { return __fmaf_rn(x, y, z); });
}
