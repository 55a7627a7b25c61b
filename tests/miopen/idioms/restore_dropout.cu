// exact: dropout whose states are restored
#include <cudnn.h>

void restore_dropout(cudnnHandle_t h, cudnnDropoutDescriptor_t d, float p, void* states, size_t n, unsigned long long seed, bool again) {
  if (again) cudnnRestoreDropoutDescriptor(d, h, p, states, n, seed);
  else cudnnSetDropoutDescriptor(d, h, p, states, n, seed);
}
