// name: cass_ddiv_rn
// provides: cass_ddiv_rn
// replaces: __ddiv_rn
// summary: Quotient rounded to nearest (single precision: unless built with -fno-hip-fp32-correctly-rounded-divide-sqrt).
// source: CUDA Math API 13.0, double precision intrinsics
__host__ __device__ inline double cass_ddiv_rn(double a, double b)
{
    #pragma clang fp contract(off) reassociate(off)
    return a / b;
}
