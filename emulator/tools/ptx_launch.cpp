// Launches a program's kernels out of code objects that were made of its PTX, so that the same program, with the same data, shows whether
// they compute the same. Preloaded: `LD_PRELOAD=libptx_launch.so CASS_CODE_OBJECTS=a.co:b.co ./program`. A kernel or variable that no
// code object has stays the program's own; the end says how many launches went either way.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

// What a kernel is called in the source, with CUDA's names for the types that HIP calls otherwise.
std::string source_name(const std::string& mangled)
{
    int status;
    char* text = abi::__cxa_demangle(mangled.substr(0, mangled.find('.')).c_str(), nullptr, nullptr, &status);
    std::string name = text ? text : mangled;
    free(text);
    static const std::regex vector("HIP_vector_type<((?:\\w| )+), (\\d)u>");
    static const std::map<std::string, std::string> stems = {
        {"unsigned char", "uchar"}, {"unsigned short", "ushort"}, {"unsigned int", "uint"}, {"unsigned long", "ulong"},
        {"unsigned long long", "ulonglong"}, {"signed char", "char"}, {"long long", "longlong"}};
    for (std::smatch found; std::regex_search(name, found, vector);) {
        auto stem = stems.find(found[1]);
        std::string plain = (stem == stems.end() ? found[1].str() : stem->second) + found[2].str();
        name = found.prefix().str() + plain + found.suffix().str();
    }
    const std::pair<const char*, const char*> others[] = {
        {"__hip_texture*", "unsigned long long"}, {"__hip_surface*", "unsigned long long"}, {"__hip_bfloat16", "__nv_bfloat16"}};
    for (auto [of_hip, of_cuda] : others)
        for (size_t at; (at = name.find(of_hip)) != std::string::npos;) name.replace(at, strlen(of_hip), of_cuda);
    return name;
}

struct State {
    std::mutex lock;
    std::map<const void*, std::string> names;
    std::map<const void*, std::string> variables;
    std::map<std::string, hipFunction_t> functions;
    std::vector<hipModule_t> modules;
    // Kernels of the code objects by what the source calls them.
    std::map<std::string, std::string> kernels;
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
            read_names(rest.substr(0, end));
            rest = end == std::string::npos ? "" : rest.substr(end + 1);
        }
    }

    // Each kernel has a descriptor in the table of symbols, called as it is with `.kd` behind.
    void read_names(const std::string& path)
    {
        std::ifstream file(path, std::ios::binary);
        std::string bytes(std::istreambuf_iterator<char>(file), {});
        const std::string end(".kd", 4);
        for (size_t at = 0; (at = bytes.find(end, at)) != std::string::npos; ++at) {
            size_t start = bytes.rfind('\0', at) + 1;
            std::string name = bytes.substr(start, at - start);
            kernels[source_name(name)] = name;
        }
    }

    hipFunction_t function(const std::string& name)
    {
        load();
        auto known = functions.find(name);
        if (known != functions.end()) return known->second;
        hipFunction_t found = nullptr;
        auto same = kernels.find(source_name(name));
        for (hipModule_t module : modules)
            if (same != kernels.end() && hipModuleGetFunction(&found, module, same->second.c_str()) == hipSuccess) break;
            else found = nullptr;
        // The program asks for the errors of its own calls.
        (void)hipGetLastError();
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
