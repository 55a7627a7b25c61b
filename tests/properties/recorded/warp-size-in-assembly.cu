#include <cuda_runtime.h>
__global__ void k(unsigned *p)
{
    unsigned x;
    asm("add.u32 %0, %1, %2;" : "=r"(x) : "r"(p[0]), "r"(warpSize));
    p[1] = x + warpSize;
}
