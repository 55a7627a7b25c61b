// name: cass_dsub_rn
// provides: cass_dsub_rn
// replaces: __dsub_rn
// summary: Difference rounded to nearest that never becomes part of a fused multiply-add (unless built with -ffp-contract=fast).
// source: CUDA Math API 13.0, double precision intrinsics; clang 19, pragma fp contract (HIP builds honour it by default)
__host__ __device__ inline double cass_dsub_rn(double a, double b)
{
    #pragma clang fp contract(off) reassociate(off)
    return a - b;
}
