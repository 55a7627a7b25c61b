// name: cass_fsub_rn
// provides: cass_fsub_rn
// replaces: __fsub_rn
// requires: cass_opaque
// summary: Difference rounded to nearest that never becomes part of a fused multiply-add, with -ffast-math neither.
// source: CUDA Math API 13.0, single precision intrinsics; clang 19, pragma fp contract
__host__ __device__ inline float cass_fsub_rn(float a, float b)
{
    #pragma clang fp contract(off) reassociate(off)
    return cass_opaque(cass_opaque(a) - cass_opaque(b));
}
