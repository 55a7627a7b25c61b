// name: cass_strict_round
// provides: cass_strict_llrint, cass_strict_llrintf, cass_strict_llround, cass_strict_llroundf, cass_strict_lrint, cass_strict_lrintf, cass_strict_lround, cass_strict_lroundf, cass_strict_ilogb, cass_strict_ilogbf, cass_strict_scalbln, cass_strict_scalblnf
// replaces:
// strict: llrint, llrintf, llround, llroundf, lrint, lrintf, lround, lroundf, ilogb, ilogbf, scalbln, scalblnf
// requires: cass_to
// includes: cmath
// summary: Roundings to 64 bits and exponents with CUDA's result for what is no number, infinite or out of range.
// source: CUDA Math API 13.0, mathematical functions (ilogb of what is no number is INT_MIN); HIP 6.4, whose scalbln takes 32 bits of the exponent
template <typename CassValue>
__host__ __device__ inline long long cass_strict_llrint(CassValue x) { return cass_to<long long>(::rint(static_cast<double>(x))); }
__host__ __device__ inline long long cass_strict_llrint(float x) { return cass_to<long long>(::rintf(x)); }
__host__ __device__ inline long long cass_strict_llrintf(float x) { return cass_to<long long>(::rintf(x)); }
template <typename CassValue>
__host__ __device__ inline long long cass_strict_llround(CassValue x) { return cass_to<long long>(::round(static_cast<double>(x))); }
__host__ __device__ inline long long cass_strict_llround(float x) { return cass_to<long long>(::roundf(x)); }
__host__ __device__ inline long long cass_strict_llroundf(float x) { return cass_to<long long>(::roundf(x)); }
template <typename CassValue>
__host__ __device__ inline long cass_strict_lrint(CassValue x) { return cass_to<long>(::rint(static_cast<double>(x))); }
__host__ __device__ inline long cass_strict_lrint(float x) { return cass_to<long>(::rintf(x)); }
__host__ __device__ inline long cass_strict_lrintf(float x) { return cass_to<long>(::rintf(x)); }
template <typename CassValue>
__host__ __device__ inline long cass_strict_lround(CassValue x) { return cass_to<long>(::round(static_cast<double>(x))); }
__host__ __device__ inline long cass_strict_lround(float x) { return cass_to<long>(::roundf(x)); }
__host__ __device__ inline long cass_strict_lroundf(float x) { return cass_to<long>(::roundf(x)); }
template <typename CassValue>
__host__ __device__ inline int cass_strict_ilogb(CassValue x)
{
    return x != x ? -2147483647 - 1 : ::ilogb(x);
}
__host__ __device__ inline int cass_strict_ilogbf(float x) { return x != x ? -2147483647 - 1 : ::ilogbf(x); }
// No exponent of a double is further from zero than 2200.
__host__ __device__ inline int cass_strict_exponent(long n)
{
    return n > 4000 ? 4000 : n < -4000 ? -4000 : static_cast<int>(n);
}
template <typename CassValue>
__host__ __device__ inline double cass_strict_scalbln(CassValue x, long n) { return ::scalbn(static_cast<double>(x), cass_strict_exponent(n)); }
__host__ __device__ inline float cass_strict_scalbln(float x, long n) { return ::scalbnf(x, cass_strict_exponent(n)); }
__host__ __device__ inline float cass_strict_scalblnf(float x, long n) { return ::scalbnf(x, cass_strict_exponent(n)); }
