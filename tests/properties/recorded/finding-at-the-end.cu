    "  x[blockIdx.x * blockDim.x + x[threadIdx.x] = 0; }
)";

void add(nvrtcProgram *\n";

static const char *raw = R"(
__global__ void zero(int *x) { threadIdx.x] *= a;  // __global__ memory\n"
    "}program, const char *text);

void compile(nvrtcPro