// name: cass_rsqrt
// provides: cass_rsqrt, cass_rsqrtf
// replaces:
// includes: cmath
// summary: One over the square root for host and device; HIP has it for the device alone.
// source: CUDA Math API 13.0, single and double precision mathematical functions
__host__ __device__ inline double cass_rsqrt(double x)
{
#if defined(__HIP_DEVICE_COMPILE__)
    return ::rsqrt(x);
#else
    return 1 / ::sqrt(x);
#endif
}
__host__ __device__ inline float cass_rsqrtf(float x)
{
#if defined(__HIP_DEVICE_COMPILE__)
    return ::rsqrtf(x);
#else
    return static_cast<float>(1 / ::sqrt(static_cast<double>(x)));
#endif
}
__host__ __device__ inline float cass_rsqrt(float x) { return cass_rsqrtf(x); }
template <typename CassI> __host__ __device__ inline double cass_rsqrt(CassI x) { return cass_rsqrt(static_cast<double>(x)); }
// nvidia:
#define cass_rsqrt rsqrt
#define cass_rsqrtf rsqrtf
