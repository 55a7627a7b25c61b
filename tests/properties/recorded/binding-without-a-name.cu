#include <cuda_runtime.h>
#include <utility>

__global__ void k(float2 *p, float4 *q, int i) {
  auto [x, y] = p[i];
  float4 v = q[0];
  const auto &[a,, , c, d] = v;#include <cuda_runtime.h>

__global__ void k(unsigned *x) { x[0] &= MASK1; }
// c
  q[1] = make_float4(x, y + b, c bd + a);
}

float sum() {
  auto [first, second] = std::make_pair(1, 2);
  return first + second;
}
