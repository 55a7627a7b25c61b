// name: cass_host_norms
// provides: cass_fdividef, cass_rhypot, cass_rhypotf, cass_norm3d, cass_norm3df, cass_norm4d, cass_norm4df, cass_rnorm3d, cass_rnorm3df, cass_rnorm4d, cass_rnorm4df
// replaces:
// includes: cmath
// summary: Quotients and norms that CUDA has for host and device, and HIP for the device alone.
// source: CUDA Math API 13.0, single and double precision mathematical functions
namespace cass_host {
// One infinity makes the norm infinite whatever the others are, as `hypot` has it.
inline double norm3d(double x, double y, double z) { return ::hypot(::hypot(x, y), z); }
inline double norm4d(double x, double y, double z, double t) { return ::hypot(::hypot(x, y), ::hypot(z, t)); }
inline double rhypot(double x, double y) { return 1 / ::hypot(x, y); }
inline double rnorm3d(double x, double y, double z) { return 1 / cass_host::norm3d(x, y, z); }
inline double rnorm4d(double x, double y, double z, double t) { return 1 / cass_host::norm4d(x, y, z, t); }
inline float fdividef(float x, float y) { return x / y; }
}
#if defined(__HIP_DEVICE_COMPILE__)
#define CASS_NORM(NAME, ...) return ::NAME(__VA_ARGS__)
#define CASS_NORMF(NAME, ...) return ::NAME##f(__VA_ARGS__)
#else
#define CASS_NORM(NAME, ...) return cass_host::NAME(__VA_ARGS__)
#define CASS_NORMF(NAME, ...) return static_cast<float>(cass_host::NAME(__VA_ARGS__))
#endif
__host__ __device__ inline float cass_fdividef(float x, float y) { CASS_NORM(fdividef, x, y); }
__host__ __device__ inline double cass_rhypot(double x, double y) { CASS_NORM(rhypot, x, y); }
__host__ __device__ inline float cass_rhypotf(float x, float y) { CASS_NORMF(rhypot, x, y); }
__host__ __device__ inline float cass_rhypot(float x, float y) { return cass_rhypotf(x, y); }
#define CASS_NORM_FUNCTIONS(NAME) \
    __host__ __device__ inline double cass_##NAME##3d(double x, double y, double z) { CASS_NORM(NAME##3d, x, y, z); } \
    __host__ __device__ inline float cass_##NAME##3df(float x, float y, float z) { CASS_NORMF(NAME##3d, x, y, z); } \
    __host__ __device__ inline float cass_##NAME##3d(float x, float y, float z) { return cass_##NAME##3df(x, y, z); } \
    __host__ __device__ inline double cass_##NAME##4d(double x, double y, double z, double t) { CASS_NORM(NAME##4d, x, y, z, t); } \
    __host__ __device__ inline float cass_##NAME##4df(float x, float y, float z, float t) { CASS_NORMF(NAME##4d, x, y, z, t); } \
    __host__ __device__ inline float cass_##NAME##4d(float x, float y, float z, float t) { return cass_##NAME##4df(x, y, z, t); }
CASS_NORM_FUNCTIONS(norm)
CASS_NORM_FUNCTIONS(rnorm)
#undef CASS_NORM_FUNCTIONS
#undef CASS_NORMF
#undef CASS_NORM
// nvidia:
#define cass_fdividef fdividef
#define cass_rhypot rhypot
#define cass_rhypotf rhypotf
#define cass_norm3d norm3d
#define cass_norm3df norm3df
#define cass_norm4d norm4d
#define cass_norm4df norm4df
#define cass_rnorm3d rnorm3d
#define cass_rnorm3df rnorm3df
#define cass_rnorm4d rnorm4d
#define cass_rnorm4df rnorm4df
