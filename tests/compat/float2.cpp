// helpers: cass_float2_rn
//
// Each of the two floats by itself, and rounded once where CUDA rounds once.
#include "host_shim.hpp"
#include "helpers.hpp"

static bool are(float2 pair, float x, float y) { return pair.x == x && pair.y == y; }

int main()
{
    const float2 a = make_float2(1.5f, -2.0f), b = make_float2(0.25f, 1e-8f), c = make_float2(-0.375f, 3.0f);
    CHECK(are(cass_fadd2_rn(a, b), 1.75f, -2.0f));
    CHECK(are(cass_fmul2_rn(a, b), 0.375f, -2e-8f));
    CHECK(are(cass_ffma2_rn(a, b, c), 0.0f, 3.0f));
    // The product alone would lose the bit that is left; product and sum would keep none.
    const float x = 1.0f + 0x1p-23f;
    CHECK(are(cass_ffma2_rn(make_float2(x, 0), make_float2(x, 0), make_float2(-1.0f - 0x1p-22f, 0)), 0x1p-46f, 0));
    CHECK(are(cass_fadd2_rn(cass_fmul2_rn(make_float2(x, 0), make_float2(x, 0)), make_float2(-1.0f - 0x1p-22f, 0)), 0, 0));
    return finish();
}
