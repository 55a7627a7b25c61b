// hiprtc: a kernel by its name and one by an expression, a header of the program, a log that names its line, options.
// links: -lhiprtc
#include "check.hpp"
#include <cstring>
#include <hip/hiprtc.h>
#include <string>
#include <vector>

static const char* const source = R"(
#include "scale.h"
template <typename T, int N> __global__ void scaled(T* values) { values[threadIdx.x] = SCALE * N * values[threadIdx.x]; }
extern "C" __global__ void shifted(int* values, int by) { values[threadIdx.x] += by; }
)";

#define RTC(call) do { hiprtcResult r = call; if (r != HIPRTC_SUCCESS) { printf("%s: %s\n", #call, hiprtcGetErrorString(r)); exit(3); } } while (0)

static std::string log_of(hiprtcProgram program)
{
    size_t size = 0;
    RTC(hiprtcGetProgramLogSize(program, &size));
    std::string log(size, 0);
    RTC(hiprtcGetProgramLog(program, &log[0]));
    return log;
}

int main()
{
    const char *header = "#define SCALE OPTION\n", *name = "scale.h", *option = "-DOPTION=5", *expression = "scaled<int, 2>";
    hiprtcProgram program;
    RTC(hiprtcCreateProgram(&program, source, "scale.cu", 1, &header, &name));
    RTC(hiprtcAddNameExpression(program, expression));
    if (hiprtcCompileProgram(program, 1, &option) != HIPRTC_SUCCESS)
        return printf("%s\n", log_of(program).c_str()), 4;
    const char* lowered = nullptr;
    RTC(hiprtcGetLoweredName(program, expression, &lowered));
    size_t size = 0;
    RTC(hiprtcGetCodeSize(program, &size));
    std::vector<char> code(size);
    RTC(hiprtcGetCode(program, code.data()));

    hipModule_t module;
    hipFunction_t scaled, shifted;
    HIP(hipModuleLoadData(&module, code.data()));
    HIP(hipModuleGetFunction(&scaled, module, lowered));
    HIP(hipModuleGetFunction(&shifted, module, "shifted"));
    int values[64], *device, by = 3, wrong = 0;
    for (int k = 0; k < 64; ++k)
        values[k] = k;
    HIP(hipMalloc(reinterpret_cast<void**>(&device), sizeof(values)));
    HIP(hipMemcpy(device, values, sizeof(values), hipMemcpyHostToDevice));
    void *first[] = {&device}, *second[] = {&device, &by};
    HIP(hipModuleLaunchKernel(scaled, 1, 1, 1, 64, 1, 1, 0, nullptr, first, nullptr));
    HIP(hipModuleLaunchKernel(shifted, 1, 1, 1, 64, 1, 1, 0, nullptr, second, nullptr));
    HIP(hipMemcpy(values, device, sizeof(values), hipMemcpyDeviceToHost));
    for (int k = 0; k < 64; ++k)
        wrong += values[k] != 10 * k + 3;

    hiprtcProgram bad;
    RTC(hiprtcCreateProgram(&bad, "__global__ void k()\n{ nothing(); }\n", "bad.cu", 0, nullptr, nullptr));
    wrong += hiprtcCompileProgram(bad, 0, nullptr) != HIPRTC_ERROR_COMPILATION;
    wrong += log_of(bad).find("bad.cu:2:") == std::string::npos;
    const char* architecture = "--gpu-architecture=compute_80";
    RTC(hiprtcCreateProgram(&bad, source, "arch.cu", 1, &header, &name));
    wrong += hiprtcCompileProgram(bad, 1, &architecture) != HIPRTC_ERROR_COMPILATION;
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
