// name: cass_fmul_rn
// provides: cass_fmul_rn
// replaces: __fmul_rn
// summary: Product rounded to nearest that never becomes part of a fused multiply-add (unless built with -ffp-contract=fast).
// source: CUDA Math API 13.0, single precision intrinsics; clang 19, pragma fp contract (HIP builds honour it by default)
__host__ __device__ inline float cass_fmul_rn(float a, float b)
{
    #pragma clang fp contract(off) reassociate(off)
    return a * b;
}
