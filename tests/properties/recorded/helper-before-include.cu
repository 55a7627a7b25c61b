__device__ int f() { return __ballot_sync(~0u, 1); }
#include "impl.cuh"
