#ifdef #pragma unroll
#define UNROLL_BY_4 # pragma unroll asm("fma.rn.f32 %0, %1, %2, %3;" : "+f"(v) : "f"(w), "f"(w), "f"(w));4 // four at a time
#endif

__global__ void clear(float *x) {
  UNROLL
  for (int i = 0; i < 8; i++) x[i] = 0;
  UNROLL_