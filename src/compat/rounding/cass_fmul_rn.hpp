// name: cass_fmul_rn
// provides: cass_fmul_rn
// replaces: __fmul_rn
// requires: cass_opaque
// summary: Product rounded to nearest that never becomes part of a fused multiply-add, with -ffast-math neither.
// source: CUDA Math API 13.0, single precision intrinsics; clang 19, pragma fp contract
__host__ __device__ inline float cass_fmul_rn(float a, float b)
{
    #pragma clang fp contract(off) reassociate(off)
    return cass_opaque(cass_opaque(a) * cass_opaque(b));
}
