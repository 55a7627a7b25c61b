// Launches a program's kernels out of code objects that were made of its PTX, so that the same program, with the same data, shows whether
// they compute the same. Preloaded: `LD_PRELOAD=libptx_launch.so CASS_CODE_OBJECTS=a.co:b.co ./program`. A kernel or variable that no
// code object has stays the program's own; the end says how many launches went either way.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace {

struct State {
    std::mutex lock;
    std::map<const void*, std::string> names;
    std::map<const void*, std::string> variables;
    std::map<std::string, hipFunction_t> functions;
    std::vector<hipModule_t> modules;
    std::set<std::string> taken, own;
    bool is_loaded = false;

    void load()
    {
        if (is_loaded) return;
        is_loaded = true;
        const char* paths = getenv("CASS_CODE_OBJECTS");
        for (std::string rest = paths ? paths : ""; !rest.empty();) {
            size_t end = rest.find(':');
            hipModule_t module;
            if (hipModuleLoad(&module, rest.substr(0, end).c_str()) == hipSuccess) modules.push_back(module);
            else fprintf(stderr, "ptx_launch: %s does not load\n", rest.substr(0, end).c_str());
            rest = end == std::string::npos ? "" : rest.substr(end + 1);
        }
    }

    hipFunction_t function(const std::string& name)
    {
        load();
        auto known = functions.find(name);
        if (known != functions.end()) return known->second;
        hipFunction_t found = nullptr;
        for (hipModule_t module : modules)
            if (hipModuleGetFunction(&found, module, name.c_str()) == hipSuccess) break;
            else found = nullptr;
        return functions[name] = found;
    }

    void* variable(const void* symbol, size_t* size)
    {
        load();
        auto found = variables.find(symbol);
        if (found == variables.end()) return nullptr;
        std::string name = found->second;
        // nvcc writes a static variable under its plain name.
        if (name.rfind("_ZL", 0) == 0) name = name.substr(name.find_first_not_of("0123456789", 3));
        hipDeviceptr_t place;
        for (hipModule_t module : modules)
            if (hipModuleGetGlobal(&place, size, module, name.c_str()) == hipSuccess) return place;
        return nullptr;
    }

    ~State()
    {
        fprintf(stderr, "ptx_launch: %zu kernels out of PTX, %zu of the program\n", taken.size(), own.size());
        for (const std::string& name : taken) fprintf(stderr, "ptx_launch: took %s\n", name.c_str());
        for (const std::string& name : own) fprintf(stderr, "ptx_launch: left %s\n", name.c_str());
    }
};

State& state()
{
    static State state;
    return state;
}

using ToSymbol = hipError_t (*)(const void*, const void*, size_t, size_t, hipMemcpyKind);
using FromSymbol = hipError_t (*)(void*, const void*, size_t, size_t, hipMemcpyKind);
using Address = hipError_t (*)(void**, const void*);

template <typename Function> Function next(const char* name)
{
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C" {

void __hipRegisterFunction(void** modules, const void* host, char* device, const char* name, unsigned threads, void* a, void* b, void* c, void* d, int* e)
{
    state().names[host] = name;
    next<decltype(&__hipRegisterFunction)>("__hipRegisterFunction")(modules, host, device, name, threads, a, b, c, d, e);
}

void __hipRegisterVar(void** modules, void* host, char* device, char* name, int is_extern, size_t size, int is_constant, int is_global)
{
    state().variables[host] = name;
    next<decltype(&__hipRegisterVar)>("__hipRegisterVar")(modules, host, device, name, is_extern, size, is_constant, is_global);
}

hipError_t hipLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t lds, hipStream_t stream)
{
    State& it = state();
    {
        std::lock_guard<std::mutex> held(it.lock);
        auto name = it.names.find(kernel);
        if (name != it.names.end()) {
            hipFunction_t function = it.function(name->second);
            (function ? it.taken : it.own).insert(name->second);
            if (function)
                return hipModuleLaunchKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z, lds, stream, arguments, nullptr);
        }
    }
    return next<decltype(&hipLaunchKernel)>("hipLaunchKernel")(kernel, grid, block, arguments, lds, stream);
}

// Variables are those of the code objects; what is written to the program's own is not read by its kernels.
hipError_t hipMemcpyToSymbol(const void* symbol, const void* from, size_t size, size_t offset, hipMemcpyKind kind)
{
    size_t whole;
    void* place = state().variable(symbol, &whole);
    hipError_t own = next<ToSymbol>("hipMemcpyToSymbol")(symbol, from, size, offset, kind);
    return place ? hipMemcpy(static_cast<char*>(place) + offset, from, size, kind) : own;
}

hipError_t hipMemcpyFromSymbol(void* to, const void* symbol, size_t size, size_t offset, hipMemcpyKind kind)
{
    size_t whole;
    if (void* place = state().variable(symbol, &whole)) return hipMemcpy(to, static_cast<char*>(place) + offset, size, kind);
    return next<FromSymbol>("hipMemcpyFromSymbol")(to, symbol, size, offset, kind);
}

hipError_t hipGetSymbolAddress(void** place, const void* symbol)
{
    size_t whole;
    if ((*place = state().variable(symbol, &whole))) return hipSuccess;
    return next<Address>("hipGetSymbolAddress")(place, symbol);
}

} // extern "C"
