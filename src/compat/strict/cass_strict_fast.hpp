// name: cass_strict_fast
// provides: cass_strict_fdividef, cass_strict_powf, cass_strict_sinf, cass_strict_cosf, cass_strict_tanf, cass_strict_sincosf, cass_strict_saturatef, cass_strict_sad
// replaces:
// strict: __fdividef, __powf, __sinf, __cosf, __tanf, __sincosf, __saturatef, __sad
// requires: cass_fmul_directed
// summary: Fast functions as CUDA defines them, where HIP has the exact ones: 0 for a divisor above 2^126, no number for the power of a negative, an angle in revolutions of 24 bits.
// source: CUDA Programming Guide 13.0, intrinsic functions; PTX ISA 8.7, div.approx, ex2.approx, lg2.approx, sad; sm_90 rounds the angle toward zero before it takes its sine, seen on an H100
__device__ inline float cass_strict_fdividef(float x, float y)
{
    float size = __builtin_fabsf(y);
    return size > 0x1p126f && size < __builtin_inff() ? x * __builtin_copysignf(0.0f, y) : __fdividef(x, y);
}
__device__ inline float cass_strict_powf(float x, float y)
{
    return __builtin_exp2f(y * __log2f(x));
}
// The sine of a part of a revolution from 0 to 1 with the sign of `revolutions`: of a small negative one the part would be 1.
__device__ inline float cass_strict_sinf(float x)
{
    float revolutions = cass_fmul_rz(x, 0x1.45f306p-3f);
    float result = __builtin_amdgcn_sinf(__builtin_amdgcn_fractf(__builtin_fabsf(revolutions)));
    return __builtin_signbit(x) ? -result : result;
}
__device__ inline float cass_strict_cosf(float x)
{
    float revolutions = cass_fmul_rz(x, 0x1.45f306p-3f);
    return __builtin_amdgcn_cosf(__builtin_amdgcn_fractf(__builtin_fabsf(revolutions)));
}
__device__ inline float cass_strict_tanf(float x)
{
    return __fdividef(cass_strict_sinf(x), cass_strict_cosf(x));
}
__device__ inline void cass_strict_sincosf(float x, float* sine, float* cosine)
{
    *sine = cass_strict_sinf(x);
    *cosine = cass_strict_cosf(x);
}
__device__ inline float cass_strict_saturatef(float x)
{
    return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f);
}
__host__ __device__ inline unsigned int cass_strict_sad(int x, int y, unsigned int z)
{
    unsigned int a = static_cast<unsigned int>(x), b = static_cast<unsigned int>(y);
    return (x > y ? a - b : b - a) + z;
}
