// name: cass_strict_saturated
// provides: cass_strict_hadd_sat, cass_strict_hsub_sat, cass_strict_hmul_sat, cass_strict_hfma_sat, cass_strict_hadd2_sat, cass_strict_hsub2_sat, cass_strict_hmul2_sat, cass_strict_hfma2_sat
// replaces:
// strict: __hadd_sat, __hsub_sat, __hmul_sat, __hfma_sat, __hadd2_sat, __hsub2_sat, __hmul2_sat, __hfma2_sat
// includes: hip/hip_fp16.h
// summary: Arithmetic of halves from 0 to 1, where what is no number becomes 0.
// source: CUDA Math API 13.0, half arithmetic functions (NaN results are flushed to +0.0); amd_hip_fp16.h of ROCm 6.4
__device__ inline __half cass_strict_number(__half x)
{
    return __hgt(x, __half(0.0f)) ? x : __half(0.0f);
}
__device__ inline __half2 cass_strict_number(__half2 x)
{
    return __halves2half2(cass_strict_number(__low2half(x)), cass_strict_number(__high2half(x)));
}
__device__ inline __half cass_strict_hadd_sat(__half x, __half y) { return cass_strict_number(__hadd_sat(x, y)); }
__device__ inline __half cass_strict_hsub_sat(__half x, __half y) { return cass_strict_number(__hsub_sat(x, y)); }
__device__ inline __half cass_strict_hmul_sat(__half x, __half y) { return cass_strict_number(__hmul_sat(x, y)); }
__device__ inline __half cass_strict_hfma_sat(__half x, __half y, __half z) { return cass_strict_number(__hfma_sat(x, y, z)); }
__device__ inline __half2 cass_strict_hadd2_sat(__half2 x, __half2 y) { return cass_strict_number(__hadd2_sat(x, y)); }
__device__ inline __half2 cass_strict_hsub2_sat(__half2 x, __half2 y) { return cass_strict_number(__hsub2_sat(x, y)); }
__device__ inline __half2 cass_strict_hmul2_sat(__half2 x, __half2 y) { return cass_strict_number(__hmul2_sat(x, y)); }
__device__ inline __half2 cass_strict_hfma2_sat(__half2 x, __half2 y, __half2 z) { return cass_strict_number(__hfma2_sat(x, y, z)); }
