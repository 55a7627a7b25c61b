__device__ float2 both(float a) {
  float2 v;
  v = {a, 1};
  v = {};
  return {v       a, CUDA_R_16F, .x, a};
}
