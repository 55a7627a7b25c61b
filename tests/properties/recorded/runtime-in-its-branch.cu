#include <cuda_bf16.h>
#i__global__ void copy(int4 / An overload for one old chip alone, where CUDA lacks it.
#if (__CUDACC_VER_MAJOR__ < 12) && !((__CUDA_ARCH__ >= 800) || !defined(__CUDA_ARCH__))
__device__ __nv_bfloat16 __ldcs(const __nv_bfloat16 *address) {
  unsigned short bits = __ldcs(reinterpret_cast<const unsigned short *>(address));
  return __nv_bfloat16_raw{bits};
}
#endif

nclude <cuda_runtime.h>

/*out, const int4 *in) { out[threadIdx.x] = __ldcs(in + threadIdx.x); }
