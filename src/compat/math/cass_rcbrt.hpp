// name: cass_rcbrt
// provides: cass_rcbrt, cass_rcbrtf
// replaces:
// includes: cmath
// summary: One over the cube root for host and device; HIP has it for the device alone.
// source: CUDA Math API 13.0, single and double precision mathematical functions
__host__ __device__ inline double cass_rcbrt(double x)
{
#if defined(__HIP_DEVICE_COMPILE__)
    return ::rcbrt(x);
#else
    return 1 / ::cbrt(x);
#endif
}
__host__ __device__ inline float cass_rcbrtf(float x)
{
#if defined(__HIP_DEVICE_COMPILE__)
    return ::rcbrtf(x);
#else
    return static_cast<float>(1 / ::cbrt(static_cast<double>(x)));
#endif
}
__host__ __device__ inline float cass_rcbrt(float x) { return cass_rcbrtf(x); }
template <typename CassI> __host__ __device__ inline double cass_rcbrt(CassI x) { return cass_rcbrt(static_cast<double>(x)); }
// nvidia:
#define cass_rcbrt rcbrt
#define cass_rcbrtf rcbrtf
