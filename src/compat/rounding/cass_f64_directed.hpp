// name: cass_f64_directed
// provides: cass_f64_fma_directed, cass_f64_mul_directed, cass_f64_div_directed, cass_f64_sqrt_directed
// replaces:
// requires: cass_exact_sign, cass_is_finite, cass_rounding_step
// includes: cmath
// summary: Double precision operations with directed rounding, correct also where they overflow or become subnormal.
// source: IEEE 754-2019, rounding-direction attributes

// Side of the exact result a * b + c, if `nearest` is that result rounded; an infinity here comes from overflow.
__host__ __device__ inline int cass_f64_side(double a, double b, double c, double nearest)
{
    if (!cass_is_finite(nearest))
        return nearest > 0.0 ? -1 : 1;
    return cass_exact_sign(a, b, c, nearest);
}

template <int CassToward>
__host__ __device__ inline double cass_f64_fma_directed(double a, double b, double c)
{
    #pragma clang fp contract(off) reassociate(off)
    double nearest = ::fma(a, b, c);
    if (!cass_is_finite(a) || !cass_is_finite(b) || !cass_is_finite(c))
        return nearest;
    int side = cass_f64_side(a, b, c, nearest);
    bool negative_product = !__builtin_signbit(a) != !__builtin_signbit(b);
    if (CassToward < 0 && nearest == 0.0 && side == 0 && negative_product != (__builtin_signbit(c) != 0))
        return -0.0;
    return cass_round_toward<CassToward>(nearest, side);
}
template <int CassToward>
__host__ __device__ inline double cass_f64_mul_directed(double a, double b)
{
    #pragma clang fp contract(off) reassociate(off)
    double nearest = a * b;
    if (!cass_is_finite(a) || !cass_is_finite(b))
        return nearest;
    return cass_round_toward<CassToward>(nearest, cass_f64_side(a, b, 0.0, nearest));
}
template <int CassToward>
__host__ __device__ inline double cass_f64_div_directed(double a, double b)
{
    #pragma clang fp contract(off) reassociate(off)
    double nearest = a / b;
    if (!cass_is_finite(a) || !cass_is_finite(b) || b == 0.0)
        return nearest;
    if (!cass_is_finite(nearest))
        return cass_round_toward<CassToward>(nearest, nearest > 0.0 ? -1 : 1);
    int side = cass_exact_sign(-nearest, b, a, 0.0);
    return cass_round_toward<CassToward>(nearest, b > 0.0 ? side : -side);
}
template <int CassToward>
__host__ __device__ inline double cass_f64_sqrt_directed(double x)
{
    double nearest = ::sqrt(x);
    if (!(x > 0.0) || !cass_is_finite(x))
        return nearest;
    return cass_round_toward<CassToward>(nearest, cass_exact_sign(-nearest, nearest, x, 0.0));
}
