// name: cass_fdiv_rn
// provides: cass_fdiv_rn
// replaces: __fdiv_rn
// summary: Quotient rounded to nearest (single precision: unless built with -fno-hip-fp32-correctly-rounded-divide-sqrt).
// source: CUDA Math API 13.0, single precision intrinsics
__host__ __device__ inline float cass_fdiv_rn(float a, float b)
{
    #pragma clang fp contract(off) reassociate(off)
    return a / b;
}
