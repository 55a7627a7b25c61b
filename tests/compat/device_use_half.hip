// Uses every half and bfloat16 helper once, with numbers and with pairs.
#include "cass_hip_compat.hpp"

template <typename H, typename H2>
__device__ unsigned both(H* h, H2* p)
{
    H a = h[0], b = h[1], c = h[2];
    H2 x = p[0], y = p[1], z = p[2];
    h[3] = cass_hmax_nan(a, cass_hmin_nan(b, cass_hfma_relu(a, b, c)));
    h[4] = cass_hadd_rn(cass_hsub_rn(a, b), cass_hmul_rn(cass_htanh(c), cass_htanh_approx(a)));
    p[3] = cass_hmax2(x, cass_hmin2(y, cass_hmax2_nan(z, cass_hmin2_nan(x, cass_hfma2_relu(x, y, z)))));
    p[4] = cass_hadd2_rn(cass_hsub2_rn(x, y), cass_hmul2_rn(cass_h2tanh(z), cass_h2tanh_approx(x)));
    p[5] = cass_hcmadd(x, y, z);
    h[6] = cass_atomicAdd(h + 7, a);
    p[6] = cass_atomicAdd(p + 7, x);
    unsigned masks = cass_heq2_mask(x, y) + cass_hequ2_mask(x, y) + cass_hne2_mask(x, y) + cass_hneu2_mask(x, y) + cass_hle2_mask(x, y) + cass_hleu2_mask(x, y);
    return masks + cass_hge2_mask(x, y) + cass_hgeu2_mask(x, y) + cass_hlt2_mask(x, y) + cass_hltu2_mask(x, y) + cass_hgt2_mask(x, y) + cass_hgtu2_mask(x, y);
}

template <typename... From>
__device__ void conversions(__hip_bfloat16* h, From... from)
{
    float f = h[0];
    h[0] = cass_float2bfloat16_rn(f), h[1] = cass_float2bfloat16_rd(f), h[2] = cass_float2bfloat16_ru(f), h[3] = cass_float2bfloat16_rz(f);
    int i = 3;
    ((h[++i] = cass_short2bfloat16_rn(from), h[++i] = cass_int2bfloat16_rd(from), h[++i] = cass_ll2bfloat16_ru(from)), ...);
    ((h[++i] = cass_ushort2bfloat16_rn(from), h[++i] = cass_uint2bfloat16_rz(from), h[++i] = cass_ull2bfloat16_rn(from)), ...);
}

__global__ void halves(unsigned* out, __half* h, __half2* h2, __hip_bfloat16* b, __hip_bfloat162* b2, double* d, long long* l)
{
    out[0] = both(h, h2) + both(b, b2);
    conversions(b, out[1], static_cast<short>(out[2]));
    h[8] = cass_double2half(d[0]);
    h2[6] = cass_hgt2(h2[7], cass_hisnan2(h2[8])), b2[6] = cass_hgt2(b2[7], cass_hisnan2(b2[8]));
    l[2] = cass_half2int_rn(h[9]) + cass_half2ll_ru(h[9]) + cass_half2short_rd(h[9]) + cass_half2uint_rn(h[9]) + cass_half2ull_ru(h[9]) + cass_half2ushort_rd(h[9]);
    l[3] = cass_shl(out[4], l[4]) + cass_shr(l[5], out[5]);
    out[3] = cass_half2char_rz(h[9]) + cass_half2uchar_rz(h[9]);
    b2[8] = cass_floats2bfloat162_rn(d[1], d[2]);
    b2[9] = cass_float2bfloat162_rn(d[1]);
    b2[10] = cass_make_bfloat162(b[0], b[1]);
    l[0] = cass_bfloat162short_rn(b[0]) + cass_bfloat162int_rd(b[0]) + cass_bfloat162ll_ru(b[0]) + cass_bfloat162ushort_rz(b[0]);
    l[1] = cass_bfloat162uint_rn(b[0]) + cass_bfloat162ull_rd(b[0]) + cass_bfloat162char_rz(b[0]) + cass_bfloat162uchar_rz(b[0]);
}
