// helpers: cass_host_math, cass_host_norms, cass_rsqrt, cass_rcbrt, cass_shift, cass_cuda_release
//
// Against values of 60 digits, computed for the double that stands in the source, and the values that CUDA's manual has for the ends.
#include "host_shim.hpp"
#include "helpers.hpp"

#include <cmath>
#include <limits>

// Conditions of a port are decided by 12.0.
static_assert(cass_CUDART_VERSION == 12 * 1000 && cass_CUDA_VERSION == cass_CUDART_VERSION, "one release");

struct Row { double x, expected; };

static bool near(double value, double expected, double unit, double ulps)
{
    return std::fabs(value - expected) <= ulps * unit * std::fabs(expected);
}

// In double, in float by either name, and of an int as a double.
#define CHECK_AT(NAME, ULPS, ...) \
    do { \
        const Row rows[] = {__VA_ARGS__}; \
        for (const Row& row : rows) { \
            CHECK(near(cass_##NAME(row.x), row.expected, 0x1p-52, ULPS)); \
            const float x = static_cast<float>(row.x); \
            const double wide = cass_##NAME(static_cast<double>(x)); \
            CHECK(cass_##NAME##f(x) == static_cast<float>(wide) && cass_##NAME(x) == static_cast<float>(wide)); \
        } \
        CHECK(cass_##NAME(1) == cass_##NAME(1.0)); \
    } while (0)

static void shifts()
{
    for (int n = -1; n < 70; ++n) {
        bool in = n >= 0 && n < 32, wide = n >= 0 && n < 64;
        CHECK(cass_shl(0xf0f0f0f1u, n) == (in ? 0xf0f0f0f1u << (n & 31) : 0u));
        CHECK(cass_shr(0xf0f0f0f1u, n) == (in ? 0xf0f0f0f1u >> (n & 31) : 0u));
        CHECK(cass_shr(-252645135, n) == (in ? -252645135 >> (n & 31) : -1));
        CHECK(cass_shl(0xf0f0f0f0f0f0f0f1ull, n) == (wide ? 0xf0f0f0f0f0f0f0f1ull << (n & 63) : 0ull));
        CHECK(cass_shr(static_cast<unsigned char>(200), n) == (in ? 200 >> (n & 31) : 0));
    }
}

static void norms()
{
    const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(cass_fdividef(1.0f, 4.0f) == 0.25f);
    CHECK(cass_norm3d(2.0, 3.0, 6.0) == 7 && cass_norm3df(2.0f, 3.0f, 6.0f) == 7 && cass_norm3d(2.0f, 3.0f, 6.0f) == 7);
    CHECK(cass_norm4d(1.0, 1.0, 1.0, 1.0) == 2 && cass_norm4df(-1.0f, 1.0f, 1.0f, 1.0f) == 2);
    CHECK(near(cass_rnorm3d(2.0, 3.0, 6.0), 1 / 7.0, 0x1p-52, 2) && near(cass_rnorm4d(2.0, 2.0, 2.0, 2.0), 0.25, 0x1p-52, 2));
    CHECK(cass_rhypot(3.0, 4.0) == 0.2 && cass_rhypotf(3.0f, 4.0f) == 0.2f && cass_rhypot(3.0f, 4.0f) == 0.2f);
    // Nothing overflows or vanishes on the way, and an infinity counts more than what is no number.
    CHECK(near(cass_norm3d(2e300, 3e300, 6e300), 7e300, 0x1p-52, 4) && near(cass_norm3d(2e-300, 3e-300, 6e-300), 7e-300, 0x1p-52, 4));
    CHECK(near(cass_norm3df(2e38f, 1e38f, 1e38f), 2.44948974e38, 0x1p-23, 4));
    CHECK(cass_norm3d(nan, nan, infinity) == infinity && cass_norm4d(nan, infinity, 0.0, 0.0) == infinity);
    CHECK(cass_rnorm3d(0.0, 0.0, 0.0) == infinity && cass_rhypot(infinity, nan) == 0 && std::isnan(cass_norm3d(nan, 0.0, 0.0)));
}

int main()
{
    shifts();
    norms();
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK_AT(rsqrt, 6, {2.0, 0.7071067811865475244}, {1e-300, 9.9999999999999998747e+149}, {12345.678, 0.0090000003690000227359});
    CHECK_AT(rcbrt, 6, {2.0, 0.79370052598409973738}, {-27.5, -0.33130076247196199266}, {1e-300, 9.9999999999999999165e+99});
    CHECK_AT(sinpi, 6, {0.25, 0.7071067811865475244}, {-0.75, -0.7071067811865475244}, {1.3, -0.80901699437494750611}, {1000001.125, -0.38268343236508977173}, {-2.9, -0.30901699437494768948});
    CHECK_AT(cospi, 6, {0.25, 0.7071067811865475244}, {-0.75, -0.7071067811865475244}, {1.3, -0.5877852522924730163}, {1000001.125, -0.92387953251128675613}, {-2.9, -0.95105651629515348589});
    CHECK_AT(erfinv, 6, {0.25, 0.22531205501217810473}, {-0.5, -0.47693627620446987338}, {0.75, 0.81341984759761854169}, {-0.999, -2.3267537655135244939}, {0.9999999999, 4.5728249585449249378});
    CHECK_AT(erfcinv, 6, {0.25, 0.81341984759761854169}, {0.5, 0.47693627620446987338}, {1.3, -0.27246271472675439801}, {1.999, -2.3267537655135465806}, {1e-10, 4.5728249673894852748}, {1e-300, 26.209469960516123886});
    CHECK_AT(erfcx, 6, {0.0, 1.0}, {-5.5, 27443409954929.709659}, {0.7, 0.52593033734944095849}, {10.3, 0.054521097798767251871}, {24.9, 0.022639987776049506286}, {25.1, 0.022459875817581388236}, {1e10, 5.6418958354775628695e-11});
    CHECK_AT(normcdf, 6, {0.0, 0.5}, {1.3, 0.90319951541438967446}, {-1.3, 0.096800484585610325542}, {-12.7, 2.9564853648520500771e-37}, {-37.3, 8.2054948449307733469e-305}, {5.0, 0.99999971334842812081});
    CHECK_AT(normcdfinv, 6, {0.5, 0.0}, {0.3, -0.52440051270804081597}, {0.01, -2.3263478740408410931}, {0.999, 3.0902323061678132778}, {1e-200, -30.205594179579643063});
    // Where the argument is a whole number or a half there is nothing to round.
    CHECK(cass_sinpi(3.0) == 0 && cass_sinpi(2.5) == 1 && cass_sinpi(-0.5) == -1 && cass_sinpi(1e300) == 0);
    CHECK(cass_cospi(3.0) == -1 && cass_cospi(2.5) == 0 && cass_cospi(-0.5) == 0 && cass_cospi(1e300) == 1);
    CHECK(std::isnan(cass_sinpi(infinity)) && std::isnan(cass_cospi(infinity)));
    CHECK(cass_rsqrt(0.0) == infinity && cass_rsqrt(infinity) == 0 && std::isnan(cass_rsqrt(-1.0)));
    CHECK(cass_rcbrt(infinity) == 0 && cass_rcbrt(0.0) == infinity);
    CHECK(cass_erfinv(0.0) == 0 && cass_erfinv(1.0) == infinity && cass_erfinv(-1.0) == -infinity && std::isnan(cass_erfinv(1.5)));
    CHECK(cass_erfcinv(1.0) == 0 && cass_erfcinv(0.0) == infinity && cass_erfcinv(2.0) == -infinity && std::isnan(cass_erfcinv(-0.5)));
    CHECK(cass_erfcx(-infinity) == infinity && cass_erfcx(infinity) == 0);
    CHECK(cass_normcdf(infinity) == 1 && cass_normcdf(-infinity) == 0);
    CHECK(cass_normcdfinv(0.0) == -infinity && cass_normcdfinv(1.0) == infinity && std::isnan(cass_normcdfinv(2.0)));
    double sine = 0, cosine = 0;
    cass_sincospi(0.3, &sine, &cosine);
    CHECK(sine == cass_sinpi(0.3) && cosine == cass_cospi(0.3));
    float sine_f = 0, cosine_f = 0;
    cass_sincospif(0.3f, &sine_f, &cosine_f);
    CHECK(sine_f == cass_sinpif(0.3f) && cosine_f == cass_cospif(0.3f));
    return finish();
}
