// name: cass_f32_directed
// provides: cass_f32_fma_directed, cass_f32_mul_directed, cass_f32_div_directed, cass_f32_sqrt_directed
// replaces:
// requires: cass_rounding_step
// includes: cmath
// summary: Single precision operations with directed rounding: the error of the nearest result is found in double precision.
// source: T. J. Dekker 1971 and D. E. Knuth, exact sums; P. H. Sterbenz, exact differences; needs subnormal numbers (HIP default)
__host__ __device__ inline int cass_f32_side(double difference)
{
    return (difference > 0.0) - (difference < 0.0);
}

// An operand that is no number or an infinity leaves a NaN here, which has no side: the nearest result stays.
// A product of two floats is exact in double; the sum with c is a double and its error, found by the two-sum algorithm.
template <int CassToward>
__host__ __device__ inline float cass_f32_fma_directed(float a, float b, float c)
{
    #pragma clang fp contract(off) reassociate(off)
    float nearest = ::fmaf(a, b, c);
    double product = static_cast<double>(a) * b;
    double sum = product + c;
    double other = sum - product;
    double error = (product - (sum - other)) + (c - other);
    double difference = (sum - nearest) + error;
    bool exact_zero = nearest == 0.0f && difference == 0.0;
    if (CassToward < 0 && exact_zero && !__builtin_signbit(product) != !__builtin_signbit(c))
        return -0.0f;
    return cass_round_toward<CassToward>(nearest, cass_f32_side(difference));
}
template <int CassToward>
__host__ __device__ inline float cass_f32_mul_directed(float a, float b)
{
    #pragma clang fp contract(off) reassociate(off)
    float nearest = a * b;
    return cass_round_toward<CassToward>(nearest, cass_f32_side(static_cast<double>(a) * b - nearest));
}
template <int CassToward>
__host__ __device__ inline float cass_f32_div_directed(float a, float b)
{
    #pragma clang fp contract(off) reassociate(off)
    float nearest = a / b;
    int side = cass_f32_side(a - static_cast<double>(nearest) * b);
    return cass_round_toward<CassToward>(nearest, b > 0.0f ? side : -side);
}
template <int CassToward>
__host__ __device__ inline float cass_f32_sqrt_directed(float x)
{
    #pragma clang fp contract(off) reassociate(off)
    float nearest = ::sqrtf(x);
    return cass_round_toward<CassToward>(nearest, cass_f32_side(x - static_cast<double>(nearest) * nearest));
}
