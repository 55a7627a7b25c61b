// name: cass_module_text
// provides: cass_cuModuleLoadData, cass_cuModuleLoadDataEx
// replaces:
// includes: hip/hip_runtime.h, hip/hiprtc.h, cstdio, cstring, string, vector
// summary: Loads a module from memory: a code object as it is, a text of HIP C++ as hiprtc compiles it for the device in use. What hiprtc says goes to the standard error.
// limit: Link with -lhiprtc. Options for NVIDIA's compiler of PTX have no effect on a text.
// source: HIP 6.4, hipModuleLoadData; hiprtc of ROCm 6.4, which compiles for the current device unless it is told another
inline bool cass_is_code_object(const void* image)
{
    const char* text = static_cast<const char*>(image);
    return std::strncmp(text, "\177ELF", 4) == 0 || std::strncmp(text, "__CLANG_OFFLOAD_BUNDLE__", 24) == 0 || std::strncmp(text, "CCOB", 4) == 0;
}
inline hipError_t cass_cuModuleLoadData(hipModule_t* module, const void* image)
{
    if (!image || cass_is_code_object(image))
        return hipModuleLoadData(module, image);
    hiprtcProgram program = nullptr;
    if (hiprtcCreateProgram(&program, static_cast<const char*>(image), "module.hip", 0, nullptr, nullptr) != HIPRTC_SUCCESS)
        return hipErrorInvalidImage;
    const hiprtcResult result = hiprtcCompileProgram(program, 0, nullptr);
    std::size_t size = 0;
    std::vector<char> code;
    if (result == HIPRTC_SUCCESS && hiprtcGetCodeSize(program, &size) == HIPRTC_SUCCESS) {
        code.resize(size);
        if (hiprtcGetCode(program, code.data()) != HIPRTC_SUCCESS)
            code.clear();
    } else if (hiprtcGetProgramLogSize(program, &size) == HIPRTC_SUCCESS && size > 1) {
        std::string log(size, '\0');
        (void)hiprtcGetProgramLog(program, &log[0]);
        std::fprintf(stderr, "%s\n", log.c_str());
    }
    (void)hiprtcDestroyProgram(&program);
    return code.empty() ? hipErrorInvalidImage : hipModuleLoadData(module, code.data());
}
inline hipError_t cass_cuModuleLoadDataEx(hipModule_t* module, const void* image, unsigned count, hipJitOption* options, void** values)
{
    return image && cass_is_code_object(image) ? hipModuleLoadDataEx(module, image, count, options, values) : cass_cuModuleLoadData(module, image);
}
