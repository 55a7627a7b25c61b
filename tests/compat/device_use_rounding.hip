// Uses every helper for arithmetic with a given rounding once.
#include "cass_hip_compat.hpp"

__global__ void rounding(float* f, double* d)
{
    float a = f[0], b = f[1], c = f[2], r = 0.0f;
    double x = d[0], y = d[1], z = d[2], s = 0.0;
    s += cass_dadd_rd(x, y);
    s += cass_dadd_ru(x, y);
    s += cass_dadd_rz(x, y);
    s += cass_dsub_rd(x, y);
    s += cass_dsub_ru(x, y);
    s += cass_dsub_rz(x, y);
    s += cass_dadd_rn(x, y);
    s += cass_ddiv_rd(x, y);
    s += cass_ddiv_ru(x, y);
    s += cass_ddiv_rz(x, y);
    s += cass_drcp_rd(x);
    s += cass_drcp_ru(x);
    s += cass_drcp_rz(x);
    s += cass_ddiv_rn(x, y);
    s += cass_dmul_rd(x, y);
    s += cass_dmul_ru(x, y);
    s += cass_dmul_rz(x, y);
    s += cass_dmul_rn(x, y);
    s += cass_dsqrt_rd(x);
    s += cass_dsqrt_ru(x);
    s += cass_dsqrt_rz(x);
    s += cass_dsub_rn(x, y);
    r += cass_fadd_rd(a, b);
    r += cass_fadd_ru(a, b);
    r += cass_fadd_rz(a, b);
    r += cass_fsub_rd(a, b);
    r += cass_fsub_ru(a, b);
    r += cass_fsub_rz(a, b);
    r += cass_fadd_rn(a, b);
    r += cass_fdiv_rd(a, b);
    r += cass_fdiv_ru(a, b);
    r += cass_fdiv_rz(a, b);
    r += cass_frcp_rd(a);
    r += cass_frcp_ru(a);
    r += cass_frcp_rz(a);
    r += cass_fdiv_rn(a, b);
    s += cass_fma_rd(x, y, z);
    s += cass_fma_ru(x, y, z);
    s += cass_fma_rz(x, y, z);
    r += cass_fmaf_rd(a, b, c);
    r += cass_fmaf_ru(a, b, c);
    r += cass_fmaf_rz(a, b, c);
    r += cass_fmaf_rn(a, b, c);
    s += cass_fma_rn(x, y, z);
    r += cass_fmul_rd(a, b);
    r += cass_fmul_ru(a, b);
    r += cass_fmul_rz(a, b);
    r += cass_fmul_rn(a, b);
    r += cass_frcp_rn(a);
    s += cass_drcp_rn(x);
    r += cass_frsqrt_rn(a);
    r += cass_fsqrt_rd(a);
    r += cass_fsqrt_ru(a);
    r += cass_fsqrt_rz(a);
    r += cass_fsqrt_rn(a);
    s += cass_dsqrt_rn(x);
    r += cass_fsub_rn(a, b);
    float2 pair = cass_ffma2_rn(make_float2(a, b), cass_fadd2_rn(make_float2(b, c), make_float2(a, a)), cass_fmul2_rn(make_float2(c, a), make_float2(b, b)));
    r += pair.x + pair.y;
    f[3] = r;
    d[3] = s;
}
