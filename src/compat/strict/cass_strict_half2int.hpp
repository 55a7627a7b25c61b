// name: cass_strict_half2int
// provides: cass_strict_half2ll_rz, cass_strict_half2ull_rz
// replaces:
// strict: __half2ll_rz, __half2ull_rz
// requires: cass_half2int
// includes: hip/hip_fp16.h
// summary: Halves to 64 bits with CUDA's result for infinities and what is no number; HIP converts them by way of 32.
// source: CUDA Math API 13.0, half precision conversions; amd_hip_fp16.h of ROCm 6.4
__host__ __device__ inline long long cass_strict_half2ll_rz(__half x) { return cass_half2ll_rz(x); }
__host__ __device__ inline unsigned long long cass_strict_half2ull_rz(__half x) { return cass_half2ull_rz(x); }
