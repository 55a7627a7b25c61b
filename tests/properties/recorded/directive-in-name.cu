cg::
#include <cuda_runtime.h>
cub::BlockReduce<int, 256>while (atomicCAS(&lock, 0, 1) != 0);