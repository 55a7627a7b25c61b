static const char *shift = R"kerneextern \"C\" __global__ void one("C" __global__ void shift(float *x) {
  x[threadIdx.x] = __shfl_down_sync(0xffffffff, x[threadIdx.x], 1);
}
)kernel";

#define ONE_LINE "l(
#include <cuda_fp16.h>
extern int *x) { *x = __shfl_sync(0xffffffffu, *x, 0); }"

void add(nvrtcProgram *program, const char *text);

void compile(nvrtcProgram *program) {
 