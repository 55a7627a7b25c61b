// name: cass_host_math
// provides: cass_sinpi, cass_sinpif, cass_cospi, cass_cospif, cass_sincospi, cass_sincospif, cass_erfinv, cass_erfinvf, cass_erfcinv, cass_erfcinvf, cass_erfcx, cass_erfcxf, cass_normcdf, cass_normcdff, cass_normcdfinv, cass_normcdfinvf
// replaces:
// includes: cmath, limits
// summary: Math functions that CUDA has for host and device, and HIP for the device alone.
// source: CUDA Math API 13.0, single and double precision mathematical functions
namespace cass_host {
inline double sinpi(double x)
{
    double r = ::remainder(x, 2.0);
    if (::fabs(r) > 0.5) r = ::copysign(1.0, r) - r;
    return ::sin(3.14159265358979323846 * r);
}
inline double cospi(double x)
{
    double r = ::fabs(::remainder(x, 2.0));
    return ::sin(3.14159265358979323846 * (0.5 - r));
}
inline double erfcx(double x)
{
    // exp(x * x) with the rounding error of the square; far out the asymptotic series.
    double square = x * x, rest = ::fma(x, x, -square);
    if (x < 25) return x < -27 ? std::numeric_limits<double>::infinity() : ::exp(square) * (1 + rest) * ::erfc(x);
    double t = 0.5 / square;
    double sum = 1 - t * (1 - 3 * t * (1 - 5 * t * (1 - 7 * t * (1 - 9 * t * (1 - 11 * t)))));
    return x == std::numeric_limits<double>::infinity() ? 0 : sum / (1.77245385090551602730 * x);
}
// The inverse near 0, where erf has all its digits.
inline double erfinv_center(double x)
{
    double z = 0.88622692545275801365 * x * (1 + 0.26179938779914943654 * x * x);
    for (int i = 0; i < 6; ++i) z -= (::erf(z) - x) / (1.12837916709551257390 * ::exp(-z * z));
    return z;
}
// The inverse for 0 < y < 0.5, by Newton's method on the logarithm, where nothing underflows.
inline double erfcinv_tail(double y)
{
    double log_y = ::log(y), z = ::sqrt(-log_y);
    for (int i = 0; i < 30; ++i) {
        double scaled = erfcx(z);
        double step = (::log(scaled) - z * z - log_y) * 0.88622692545275801365 * scaled;
        z += step;
        if (::fabs(step) <= 1e-16 * z) break;
    }
    return z;
}
inline double erfcinv(double y)
{
    if (!(y >= 0 && y <= 2)) return std::numeric_limits<double>::quiet_NaN();
    if (y == 0 || y == 2) return y == 0 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
    if (y >= 0.5 && y <= 1.5) return erfinv_center(1 - y);
    return y < 0.5 ? erfcinv_tail(y) : -erfcinv_tail(2 - y);
}
inline double erfinv(double x)
{
    if (::fabs(x) <= 0.5) return erfinv_center(x);
    return x < 0 ? -erfcinv(1 + x) : erfcinv(1 - x);
}
inline double normcdf(double x)
{
    // The root of a half has digits that a double has not, which count where erfc falls steeply.
    double z = -0.70710678118654757 * x;
    double rest = ::fma(-0.70710678118654757, x, -z) + 4.8336466567264573e-17 * x;
    return 0.5 * ::erfc(z) * (z > 1 && z < 40 ? 1 - rest * 1.12837916709551257390 / erfcx(z) : 1);
}
inline double normcdfinv(double p) { return -1.41421356237309504880 * erfcinv(2 * p); }
}
#if defined(__HIP_DEVICE_COMPILE__)
#define CASS_MATH(NAME, x) return ::NAME(x)
#define CASS_MATHF(NAME, x) return ::NAME##f(x)
#else
#define CASS_MATH(NAME, x) return cass_host::NAME(x)
#define CASS_MATHF(NAME, x) return static_cast<float>(cass_host::NAME(static_cast<double>(x)))
#endif
#define CASS_MATH_FUNCTION(NAME) \
    __host__ __device__ inline double cass_##NAME(double x) { CASS_MATH(NAME, x); } \
    __host__ __device__ inline float cass_##NAME##f(float x) { CASS_MATHF(NAME, x); } \
    __host__ __device__ inline float cass_##NAME(float x) { return cass_##NAME##f(x); } \
    template <typename CassI> __host__ __device__ inline double cass_##NAME(CassI x) { return cass_##NAME(static_cast<double>(x)); }
CASS_MATH_FUNCTION(sinpi)
CASS_MATH_FUNCTION(cospi)
CASS_MATH_FUNCTION(erfinv)
CASS_MATH_FUNCTION(erfcinv)
CASS_MATH_FUNCTION(erfcx)
CASS_MATH_FUNCTION(normcdf)
CASS_MATH_FUNCTION(normcdfinv)
#undef CASS_MATH_FUNCTION
#undef CASS_MATHF
#undef CASS_MATH
__host__ __device__ inline void cass_sincospi(double x, double* sine, double* cosine)
{
    *sine = cass_sinpi(x);
    *cosine = cass_cospi(x);
}
__host__ __device__ inline void cass_sincospif(float x, float* sine, float* cosine)
{
    *sine = cass_sinpif(x);
    *cosine = cass_cospif(x);
}
__host__ __device__ inline void cass_sincospi(float x, float* sine, float* cosine) { cass_sincospif(x, sine, cosine); }
// nvidia:
#define cass_sinpi sinpi
#define cass_sinpif sinpif
#define cass_cospi cospi
#define cass_cospif cospif
#define cass_sincospi sincospi
#define cass_sincospif sincospif
#define cass_erfinv erfinv
#define cass_erfinvf erfinvf
#define cass_erfcinv erfcinv
#define cass_erfcinvf erfcinvf
#define cass_erfcx erfcx
#define cass_erfcxf erfcxf
#define cass_normcdf normcdf
#define cass_normcdff normcdff
#define cass_normcdfinv normcdfinv
#define cass_normcdfinvf normcdfinvf
