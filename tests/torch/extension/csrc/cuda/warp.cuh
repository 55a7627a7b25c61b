#pragma once
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <device_launch_parameters.h>

#define FULL_MASK 0xffffffffu
#define SHUFFLE_DOWN(value, by) __shfl_down_sync(FULL_MASK, value, by)

// A type of the project's own in CUDA's function.
struct Pair {
  float first, second;
};

__device__ __forceinline__ Pair __shfl_xor_sync(unsigned mask, Pair pair, int lanes) {
  return Pair{__shfl_xor_sync(mask, pair.first, lanes), __shfl_xor_sync(mask, pair.second, lanes)};
}

template <typename T> __device__ __forceinline__ T warp_sum(T value) {
  for (int by = 16; by > 0; by >>= 1)
    value += SHUFFLE_DOWN(value, by);
  return value;
}

// The bits of three words, two by two: the majority.
__device__ __forceinline__ unsigned majority(unsigned a, unsigned b, unsigned c) {
  unsigned result;
  asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
  return result;
}

__device__ __forceinline__ nv_bfloat162 pack(float low, float high) {
#if __CUDA_ARCH__ >= 800
  return __floats2bfloat162_rn(low, high);
#else
  return nv_bfloat162{__float2bfloat16(low), __float2bfloat16(high)};
#endif
}
