#include <cuda_runtime.h>

#ifndef __CUDACC__
cudaMalloc#endif

int count(const float *x) { return isnan(x[0]); }
