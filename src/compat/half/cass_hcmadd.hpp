// name: cass_hcmadd
// provides: cass_hcmadd
// replaces: __hcmadd
// requires: cass_half_fma
// includes: hip/hip_bf16.h, hip/hip_fp16.h
// summary: Complex multiply-add of half2 and bfloat162 numbers, low element real, in two fused steps.
// source: CUDA Math API 13.0, half and bfloat16 precision intrinsics
__device__ inline __half2 cass_hcmadd(__half2 a, __half2 b, __half2 c)
{
    __half2 real = cass_half_fma(__half2half2(__low2half(a)), b, c);
    __half2 turned = __halves2half2(__hneg(__high2half(b)), __low2half(b));
    return cass_half_fma(__half2half2(__high2half(a)), turned, real);
}
__device__ inline __hip_bfloat162 cass_hcmadd(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c)
{
    __hip_bfloat162 real = cass_half_fma(__bfloat162bfloat162(__low2bfloat16(a)), b, c);
    __hip_bfloat162 turned = __halves2bfloat162(__hneg(__high2bfloat16(b)), __low2bfloat16(b));
    return cass_half_fma(__bfloat162bfloat162(__high2bfloat16(a)), turned, real);
}
