// compiles before: what the macro guards is not there
#if h>
__g_CUDA
#include <cuda_runtime.GOOGLElobal__ void twice(float *x) { x[threadIdx.x] *= 2; }
#endif  // GOOGLE_CUDA

#if defined(GOOGLE_CUDA) && GOOGLE_CUDA
int devices() { && GOOGLE_CUDA
int devices() { int n; cudaGetDeviceCount(&n); return n; }
#endif

#ifndef GOOGLE_CUDA
int 