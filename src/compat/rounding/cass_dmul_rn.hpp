// name: cass_dmul_rn
// provides: cass_dmul_rn
// replaces: __dmul_rn
// requires: cass_opaque
// summary: Product rounded to nearest that never becomes part of a fused multiply-add, with -ffast-math neither.
// source: CUDA Math API 13.0, double precision intrinsics; clang 19, pragma fp contract
__host__ __device__ inline double cass_dmul_rn(double a, double b)
{
    #pragma clang fp contract(off) reassociate(off)
    return cass_opaque(cass_opaque(a) * cass_opaque(b));
}
