// error: attention of several heads
#include <cudnn.h>

void attention(cudnnAttnDescriptor_t a, cudnnDropoutDescriptor_t d) {
  cudnnCreateAttnDescriptor(&a);
  cudnnSetAttnDescriptor(a, CUDNN_ATTN_QUERYMAP_ALL_TO_ONE, 8, 1.0, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, CUDNN_DEFAULT_MATH, d, d, 64, 64, 64, 8, 8, 8, 64, 10, 10, 1, 1);
}
