// name: cass_dadd_rn
// provides: cass_dadd_rn
// replaces: __dadd_rn
// requires: cass_opaque
// summary: Sum rounded to nearest that never becomes part of a fused multiply-add, with -ffast-math neither.
// source: CUDA Math API 13.0, double precision intrinsics; clang 19, pragma fp contract
__host__ __device__ inline double cass_dadd_rn(double a, double b)
{
    #pragma clang fp contract(off) reassociate(off)
    return cass_opaque(cass_opaque(a) + cass_opaque(b));
}
