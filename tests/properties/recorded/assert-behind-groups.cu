#include <cooperative_groups.h>
__global__ void k(int *p) { assert(p[0] > 0); }
