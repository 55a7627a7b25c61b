// Translated by the test, then compiled for the CPU and compared with reference.cpp. One function for each form of an instruction.
#include <cuda_runtime.h>

__device__ unsigned bfe_u32(unsigned a, unsigned b, unsigned c) {
    unsigned d;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}
__device__ unsigned bfe_constant(unsigned a) {
    unsigned d, e, f;
    asm("bfe.u32 %0, %1, 4, 8;" : "=r"(d) : "r"(a));
    asm("bfe.u32 %0, %1, 0, 31;" : "=r"(e) : "r"(a));
    asm("bfe.u32 %0, %1, 31, 31;" : "=r"(f) : "r"(a));
    return d + e * 3u + f * 7u;
}
__device__ int bfe_s32(int a, unsigned b, unsigned c) {
    int d;
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}
__device__ unsigned bfi_b32(unsigned a, unsigned b, unsigned c, unsigned d) {
    unsigned f;
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(f) : "r"(a), "r"(b), "r"(c), "r"(d));
    return f;
}
__device__ unsigned bfind_u32(unsigned a) {
    unsigned d;
    asm("bfind.u32 %0, %1;" : "=r"(d) : "r"(a));
    return d;
}
__device__ unsigned bfind_s32(int a) {
    unsigned d;
    asm("bfind.s32 %0, %1;" : "=r"(d) : "r"(a));
    return d;
}
__device__ unsigned bfind_shiftamt(unsigned a) {
    unsigned d;
    asm("bfind.shiftamt.u32 %0, %1;" : "=r"(d) : "r"(a));
    return d;
}
__device__ unsigned shf(int mode, unsigned a, unsigned b, unsigned c) {
    unsigned d = 0;
    if (mode == 0) asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    if (mode == 1) asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    if (mode == 2) asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    if (mode == 3) asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}
__device__ unsigned shift(int mode, unsigned a, unsigned b) {
    unsigned d = 0;
    if (mode == 0) asm("shl.b32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    if (mode == 1) asm("shr.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    if (mode == 2) asm("shr.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    if (mode == 3) asm("shl.b32 %0, %1, 31;" : "=r"(d) : "r"(a));
    if (mode == 4) asm("shr.s32 %0, %1, 7;" : "=r"(d) : "r"(a));
    if (mode == 5) asm("shr.b32 %0, %1, 40;" : "=r"(d) : "r"(a));
    return d;
}
__device__ unsigned prmt(int mode, unsigned a, unsigned b, unsigned c) {
    unsigned d = 0;
    if (mode == 0) asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    if (mode == 1) asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    if (mode == 2) asm("prmt.b32.b4e %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    if (mode == 3) asm("prmt.b32.rc8 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    if (mode == 4) asm("prmt.b32.ecl %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    if (mode == 5) asm("prmt.b32.ecr %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    if (mode == 6) asm("prmt.b32.rc16 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    if (mode == 7) asm("prmt.b32 %0, %1, %2, 0x5140;" : "=r"(d) : "r"(a), "r"(b));
    if (mode == 8) asm("prmt.b32 %0, %1, %2, 0xF84B;" : "=r"(d) : "r"(a), "r"(b));
    return d;
}
__device__ unsigned mul_hi_u32(unsigned a, unsigned b) {
    unsigned d;
    asm("mul.hi.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    return d;
}
__device__ int mul_hi_s32(int a, int b) {
    int d;
    asm("mul.hi.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    return d;
}
__device__ long long mul_wide(int mode, int a, int b) {
    long long d = 0;
    if (mode == 0) asm("mul.wide.s32 %0, %1, %2;" : "=l"(d) : "r"(a), "r"(b));
    if (mode == 1) asm("mul.wide.u32 %0, %1, %2;" : "=l"(d) : "r"(a), "r"(b));
    if (mode == 2) asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(d) : "r"(a), "r"(b), "l"(-5ll));
    if (mode == 3) asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(d) : "r"(a), "r"(b), "l"(7ll));
    return d;
}
__device__ int arithmetic(int mode, int a, int b, int c) {
    int d = 0;
    if (mode == 0) asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    if (mode == 1) asm("sad.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    if (mode == 2) asm("sad.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    if (mode == 3) asm("abs.s32 %0, %1;" : "=r"(d) : "r"(a));
    if (mode == 4) asm("neg.s32 %0, %1;" : "=r"(d) : "r"(a));
    if (mode == 5) asm("min.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    if (mode == 6) asm("max.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    if (mode == 7) asm("add.sat.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    if (mode == 8) asm("sub.sat.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    if (mode == 9) asm("slct.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    if (mode == 10) asm("cnot.b32 %0, %1;" : "=r"(d) : "r"(a));
    if (mode == 11) asm("popc.b32 %0, %1;" : "=r"(d) : "r"(a));
    if (mode == 12) asm("brev.b32 %0, %1;" : "=r"(d) : "r"(a));
    if (mode == 13) asm("clz.b32 %0, %1;" : "=r"(d) : "r"(a));
    if (mode == 14) asm("mad.hi.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    if (mode == 15) asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    if (mode == 17) asm("vmin.s32.s32.s32.max %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    if (mode == 18) asm("vmax.u32.u32.u32.min %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    if (mode == 19) asm("vabsdiff.u32.s32.s32.add %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    if (mode == 20) asm("vadd.s32.s32.s32.add %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    if (mode == 16) asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}
__device__ void add_256(unsigned long long *r, const unsigned long long *a, const unsigned long long *b) {
    asm("add.cc.u64 %0, %4, %8;\n\t"
        "addc.cc.u64 %1, %5, %9;\n\t"
        "addc.cc.u64 %2, %6, %10;\n\t"
        "addc.u64 %3, %7, %11;"
        : "=l"(r[0]), "=l"(r[1]), "=l"(r[2]), "=l"(r[3])
        : "l"(a[0]), "l"(a[1]), "l"(a[2]), "l"(a[3]), "l"(b[0]), "l"(b[1]), "l"(b[2]), "l"(b[3]));
}
__device__ void sub_96(unsigned *r, const unsigned *a, const unsigned *b) {
    asm("sub.cc.u32 %0, %3, %6; subc.cc.u32 %1, %4, %7; subc.u32 %2, %5, %8;"
        : "=r"(r[0]), "=r"(r[1]), "=r"(r[2])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(b[0]), "r"(b[1]), "r"(b[2]));
}
__device__ void mul_add_96(unsigned *r, unsigned a, const unsigned *b, unsigned carry) {
    // r = a * {b0, b1} + carry, over three words
    asm("mad.lo.cc.u32 %0, %3, %4, %6;\n\t"
        "madc.hi.cc.u32 %1, %3, %4, 0;\n\t"
        "madc.hi.u32 %2, %3, %5, 0;\n\t"
        "mad.lo.cc.u32 %1, %3, %5, %1;\n\t"
        "addc.u32 %2, %2, 0;"
        : "=&r"(r[0]), "=&r"(r[1]), "=&r"(r[2])
        : "r"(a), "r"(b[0]), "r"(b[1]), "r"(carry));
}
__device__ unsigned swapped_halves(unsigned x) {
    unsigned short lo, hi;
    asm("mov.b32 {%0, %1}, %2;" : "=h"(lo), "=h"(hi) : "r"(x));
    asm("mov.b32 %0, {%1, %2};" : "=r"(x) : "h"(hi), "h"(lo));
    return x;
}
__device__ double packed_double(unsigned lo, unsigned hi) {
    double d;
    asm("mov.b64 %0, {%1, %2};" : "=d"(d) : "r"(lo), "r"(hi));
    return d;
}
__device__ unsigned exchange(unsigned x, unsigned y) {
    // Both results come from the old values.
    asm("{ .reg .u32 t; mov.u32 t, %2; mov.u32 %0, %3; mov.u32 %1, t; }" : "=r"(x), "=r"(y) : "r"(x), "r"(y));
    return x * 3u + y;
}
__device__ int clamp_block(int x, int low, int high) {
    int r;
    asm("{\n"
        "  .reg .pred p, q;\n"
        "  .reg .s32 t;\n"
        "  setp.lt.s32 p|q, %1, %2;  // q: not below\n"
        "  selp.s32 t, %2, %1, p;\n"
        "  @q min.s32 t, t, %3;\n"
        "  mov.s32 %0, t;\n"
        "}" : "=r"(r) : "r"(x), "r"(low), "r"(high));
    return r;
}
__device__ int compared(int mode, float a, float b) {
    int r = 0;
    if (mode == 0) asm("{ .reg .pred p; setp.ne.f32 p, %1, %2; selp.s32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b));
    if (mode == 1) asm("{ .reg .pred p; setp.neu.f32 p, %1, %2; selp.s32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b));
    if (mode == 2) asm("{ .reg .pred p; setp.equ.f32 p, %1, %2; selp.s32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b));
    if (mode == 3) asm("{ .reg .pred p; setp.ltu.f32 p, %1, %2; selp.s32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b));
    if (mode == 4) asm("{ .reg .pred p; setp.nan.f32 p, %1, %2; selp.s32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b));
    if (mode == 5) asm("set.ge.s32.f32 %0, %1, %2;" : "=r"(r) : "f"(a), "f"(b));
    return r;
}
__device__ int unsigned_below(int a, int b) {
    int r;
    asm("{ .reg .pred p; setp.lt.u32 p, %1, %2; selp.b32 %0, -1, 5, p; }" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
__device__ int converted(int mode, float x, int i) {
    int r = 0;
    if (mode == 0) asm("cvt.rni.s32.f32 %0, %1;" : "=r"(r) : "f"(x));
    if (mode == 1) asm("cvt.rzi.sat.u8.f32 %0, %1;" : "=r"(r) : "f"(x));
    if (mode == 2) asm("cvt.sat.s8.s32 %0, %1;" : "=r"(r) : "r"(i));
    if (mode == 3) asm("cvt.s32.s8 %0, %1;" : "=r"(r) : "r"(i));
    if (mode == 4) asm("cvt.u32.u16 %0, %1;" : "=r"(r) : "h"((unsigned short)i));
    if (mode == 5) asm("mov.b32 %0, %1;" : "=r"(r) : "f"(x));
    if (mode == 6) asm("cvt.rmi.s32.f32 %0, %1;" : "=r"(r) : "f"(x));
    if (mode == 7) asm("cvt.rni.sat.s8.f32 %0, %1;" : "=r"(r) : "f"(x));
    return r;
}
__device__ unsigned bf16_fma(unsigned a, unsigned b, unsigned c) {
    unsigned d;
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}
__device__ unsigned bf16_pair(float high, float low) {
    unsigned d;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(high), "f"(low));
    return d;
}
