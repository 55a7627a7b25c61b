// name: cass_fadd_rn
// provides: cass_fadd_rn
// replaces: __fadd_rn
// requires: cass_opaque
// summary: Sum rounded to nearest that never becomes part of a fused multiply-add, with -ffast-math neither.
// source: CUDA Math API 13.0, single precision intrinsics; clang 19, pragma fp contract
__host__ __device__ inline float cass_fadd_rn(float a, float b)
{
    #pragma clang fp contract(off) reassociate(off)
    return cass_opaque(cass_opaque(a) + cass_opaque(b));
}
