// name: cass_htanh
// provides: cass_htanh, cass_h2tanh, cass_htanh_approx, cass_h2tanh_approx
// replaces: htanh, h2tanh, htanh_approx, h2tanh_approx
// includes: hip/hip_bf16.h, hip/hip_fp16.h, cmath
// summary: Hyperbolic tangent of half and bfloat16 numbers and pairs, by way of single precision.
// source: CUDA Math API 13.0, half and bfloat16 precision intrinsics
__device__ inline __half cass_htanh(__half x) { return __float2half(::tanhf(__half2float(x))); }
__device__ inline __hip_bfloat16 cass_htanh(__hip_bfloat16 x) { return __float2bfloat16(::tanhf(__bfloat162float(x))); }
__device__ inline __half2 cass_h2tanh(__half2 x)
{
    return __floats2half2_rn(::tanhf(__low2float(x)), ::tanhf(__high2float(x)));
}
__device__ inline __hip_bfloat162 cass_h2tanh(__hip_bfloat162 x)
{
    return __halves2bfloat162(cass_htanh(__low2bfloat16(x)), cass_htanh(__high2bfloat16(x)));
}
template <typename CassH>
__device__ inline CassH cass_htanh_approx(CassH x) { return cass_htanh(x); }
template <typename CassH2>
__device__ inline CassH2 cass_h2tanh_approx(CassH2 x) { return cass_h2tanh(x); }
