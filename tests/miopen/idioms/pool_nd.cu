// exact: pooling of three directions
#include <cudnn.h>

void pool_nd(cudnnPoolingDescriptor_t p) {
  int win[3] = {2,2,2}, pad[3] = {0,0,0}, st[3] = {2,2,2};
  cudnnSetPoolingNdDescriptor(p, CUDNN_POOLING_MAX, CUDNN_NOT_PROPAGATE_NAN, 3, win, pad, st);
}
