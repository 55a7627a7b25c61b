// Uses every SIMD, DPX and dot-product helper once.
#include "cass_hip_compat.hpp"

__global__ void simd(unsigned* out, unsigned a, unsigned b, unsigned c, bool* p, bool* q, char4* bytes, uchar4* ubytes, short2* halves, ushort2* uhalves)
{
    unsigned r = 0;
    r += cass_viaddmax_s32(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)) + cass_viaddmax_u32(a, b, c) + cass_viaddmax_s32_relu(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)) + cass_viaddmax_s16x2(a, b, c);
    r += cass_viaddmax_u16x2(a, b, c) + cass_viaddmax_s16x2_relu(a, b, c);
    r += cass_viaddmin_s32(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)) + cass_viaddmin_u32(a, b, c) + cass_viaddmin_s32_relu(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)) + cass_viaddmin_s16x2(a, b, c);
    r += cass_viaddmin_u16x2(a, b, c) + cass_viaddmin_s16x2_relu(a, b, c);
    r += cass_vimax3_s32(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)) + cass_vimax3_u32(a, b, c) + cass_vimax3_s32_relu(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)) + cass_vimax3_s16x2(a, b, c);
    r += cass_vimax3_u16x2(a, b, c) + cass_vimax3_s16x2_relu(a, b, c);
    r += cass_vimin3_s32(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)) + cass_vimin3_u32(a, b, c) + cass_vimin3_s32_relu(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)) + cass_vimin3_s16x2(a, b, c);
    r += cass_vimin3_u16x2(a, b, c) + cass_vimin3_s16x2_relu(a, b, c);
    r += cass_vimax_s32_relu(static_cast<int>(a), static_cast<int>(b)) + cass_vimax_s16x2_relu(a, b) + cass_vimin_s32_relu(static_cast<int>(a), static_cast<int>(b)) + cass_vimin_s16x2_relu(a, b);
    r += cass_vibmax_s32(static_cast<int>(a), static_cast<int>(b), p) + cass_vibmax_u32(a, b, p) + cass_vibmax_s16x2(a, b, p, q) + cass_vibmax_u16x2(a, b, p, q);
    r += cass_vibmin_s32(static_cast<int>(a), static_cast<int>(b), p) + cass_vibmin_u32(a, b, p) + cass_vibmin_s16x2(a, b, p, q) + cass_vibmin_u16x2(a, b, p, q);
    r += cass_vabs2(a) + cass_vabsss2(a) + cass_vneg2(a) + cass_vnegss2(a);
    r += cass_vabs4(a) + cass_vabsss4(a) + cass_vneg4(a) + cass_vnegss4(a);
    r += cass_vabsdiffs2(a, b) + cass_vabsdiffu2(a, b) + cass_vabsdiffs4(a, b) + cass_vabsdiffu4(a, b);
    r += cass_vadd2(a, b) + cass_vaddss2(a, b) + cass_vaddus2(a, b) + cass_vadd4(a, b);
    r += cass_vaddss4(a, b) + cass_vaddus4(a, b);
    r += cass_vavgs2(a, b) + cass_vavgu2(a, b) + cass_vhaddu2(a, b) + cass_vavgs4(a, b);
    r += cass_vavgu4(a, b) + cass_vhaddu4(a, b);
    r += cass_vcmpeq2(a, b) + cass_vcmpne2(a, b) + cass_vcmpges2(a, b) + cass_vcmpgeu2(a, b);
    r += cass_vcmpgts2(a, b) + cass_vcmpgtu2(a, b) + cass_vcmples2(a, b) + cass_vcmpleu2(a, b);
    r += cass_vcmplts2(a, b) + cass_vcmpltu2(a, b);
    r += cass_vcmpeq4(a, b) + cass_vcmpne4(a, b) + cass_vcmpges4(a, b) + cass_vcmpgeu4(a, b);
    r += cass_vcmpgts4(a, b) + cass_vcmpgtu4(a, b) + cass_vcmples4(a, b) + cass_vcmpleu4(a, b);
    r += cass_vcmplts4(a, b) + cass_vcmpltu4(a, b);
    r += cass_vmaxs2(a, b) + cass_vmins2(a, b) + cass_vmaxu2(a, b) + cass_vminu2(a, b);
    r += cass_vmaxs4(a, b) + cass_vmins4(a, b) + cass_vmaxu4(a, b) + cass_vminu4(a, b);
    r += cass_vsads2(a, b) + cass_vsadu2(a, b) + cass_vsads4(a, b) + cass_vsadu4(a, b);
    r += cass_vseteq2(a, b) + cass_vsetne2(a, b) + cass_vsetges2(a, b) + cass_vsetgeu2(a, b);
    r += cass_vsetgts2(a, b) + cass_vsetgtu2(a, b) + cass_vsetles2(a, b) + cass_vsetleu2(a, b);
    r += cass_vsetlts2(a, b) + cass_vsetltu2(a, b);
    r += cass_vseteq4(a, b) + cass_vsetne4(a, b) + cass_vsetges4(a, b) + cass_vsetgeu4(a, b);
    r += cass_vsetgts4(a, b) + cass_vsetgtu4(a, b) + cass_vsetles4(a, b) + cass_vsetleu4(a, b);
    r += cass_vsetlts4(a, b) + cass_vsetltu4(a, b);
    r += cass_vsub2(a, b) + cass_vsubss2(a, b) + cass_vsubus2(a, b) + cass_vsub4(a, b);
    r += cass_vsubss4(a, b) + cass_vsubus4(a, b);
    r += cass_dp4a(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)) + cass_dp4a(a, b, c) + cass_dp4a(bytes[0], bytes[1], 1) + cass_dp4a(ubytes[0], ubytes[1], c);
    r += cass_dp2a_lo(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)) + cass_dp2a_lo(a, b, c) + cass_dp2a_lo(halves[0], bytes[1], 1) + cass_dp2a_lo(uhalves[0], ubytes[1], c);
    r += cass_dp2a_hi(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)) + cass_dp2a_hi(a, b, c) + cass_dp2a_hi(halves[0], bytes[1], 1) + cass_dp2a_hi(uhalves[0], ubytes[1], c);
    out[0] = r;
}
