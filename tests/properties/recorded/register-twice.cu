#include <cuda_runtime.h>

__global__ void k(int *p) {
  register  register
  r
#include <vector>
 = p[0];
  p[1] = x;
}