// name: cass_frcp_rn
// provides: cass_frcp_rn, cass_drcp_rn
// replaces: __frcp_rn, __drcp_rn
// summary: Reciprocal rounded to nearest.
// source: CUDA Math API 13.0, single precision intrinsics
__host__ __device__ inline float cass_frcp_rn(float x)
{
    #pragma clang fp contract(off) reassociate(off)
    return 1.0f / x;
}
__host__ __device__ inline double cass_drcp_rn(double x)
{
    #pragma clang fp contract(off) reassociate(off)
    return 1.0 / x;
}
