#include <nvrtc.h>

const char *text = R"(
extern "C" __global__ void f(unsigned *p, int v) { p[0] = __ballot_sync(0xffffffffu, v); p[1] = __shfl_sync(0xffffffffu, v, 0); }
)";

void make(nvrtcProgram *program) { nvrtcCreateProgram(program, text, "f", 0, 0, 0); }
