// Uses every helper that stands for a PTX instruction once.
#include "cass_hip_compat.hpp"

__global__ void ptx(unsigned* u, int* s, unsigned long long* w, long long* l, float* f)
{
    unsigned a = u[0], b = u[1], c = u[2];
    a += cass_bfe_u32(a, b, c) + cass_bfe_s32(s[0], b, c) + cass_bfe_u64(w[0], b, c) + cass_bfe_s64(l[0], b, c);
    a += cass_bfi_b32(a, b, c, 5) + cass_bfi_b64(w[0], w[1], b, c) + cass_lop3<0x96>(a, b, c);
    a += cass_bfind_u32(a) + cass_bfind_s32(s[0]) + cass_bfind_u64(w[0]) + cass_bfind_s64(l[0]);
    a += cass_bfind_shiftamt_u32(a) + cass_bfind_shiftamt_s32(s[0]) + cass_bfind_shiftamt_u64(w[0]) + cass_bfind_shiftamt_s64(l[0]);
    a += cass_shf_l_wrap(a, b, c) + cass_shf_l_clamp(a, b, c) + cass_shf_r_wrap(a, b, c) + cass_shf_r_clamp(a, b, c);
    a += cass_prmt(a, b, c) + cass_prmt_f4e(a, b, c) + cass_prmt_b4e(a, b, c) + cass_prmt_rc8(a, b, c) + cass_prmt_ecl(a, b, c);
    u[3] = a + cass_prmt_ecr(a, b, c) + cass_prmt_rc16(a, b, c) + cass_cvt_rna_tf32(f[0]);
}
