/* Looking functions up. A part of watch.c. */

struct hook { const char *name; void *function; void **real; };
static const struct hook hip_hooks[] = {
#define ENTRY(name) {#name, (void *)name, &real_##name}
    ENTRY(hipLaunchKernel), ENTRY(hipLaunchKernel_spt), ENTRY(hipLaunchCooperativeKernel), ENTRY(hipLaunchCooperativeKernel_spt),
    ENTRY(hipExtLaunchKernel), ENTRY(hipLaunchKernelExC), ENTRY(hipModuleLaunchKernel), ENTRY(hipModuleLaunchCooperativeKernel),
    ENTRY(hipExtModuleLaunchKernel), ENTRY(hipGraphLaunch), ENTRY(hipGraphLaunch_spt), ENTRY(hipMemcpy), ENTRY(hipMemcpy_spt),
    ENTRY(hipMemcpyAsync), ENTRY(hipMemcpyAsync_spt), ENTRY(hipMemcpyWithStream), ENTRY(hipMemcpyDtoH), ENTRY(hipMemcpyDtoHAsync),
    ENTRY(hipMemcpyFromSymbol), ENTRY(hipMemcpyFromSymbolAsync), ENTRY(hipMemcpy2D), ENTRY(hipMemcpy2DAsync),
    ENTRY(hipDeviceSynchronize), ENTRY(hipStreamSynchronize), ENTRY(hipStreamSynchronize_spt), ENTRY(hipStreamQuery),
    ENTRY(hipEventSynchronize), ENTRY(hipEventQuery), ENTRY(hipEventRecord), ENTRY(hipStreamWaitEvent), ENTRY(hipEventElapsedTime),
    ENTRY(hipStreamCreate), ENTRY(hipStreamCreateWithFlags), ENTRY(hipGetDeviceCount), ENTRY(hipModuleGetFunction),
    ENTRY(__hipRegisterFunction),
};
/* Names as dlsym is asked for them; of cuGetProcAddress, they come without `_v2`. */
#define PAIR(name, symbol) {symbol, (void *)name, &real_##name[0]}, {symbol "_ptsz", (void *)name##_of_thread, &real_##name[1]}, \
    {symbol "_ptds", (void *)name##_of_thread, &real_##name[1]}
static const struct hook cuda_hooks[] = {
    PAIR(cuLaunchKernel, "cuLaunchKernel"), PAIR(cuLaunchCooperativeKernel, "cuLaunchCooperativeKernel"),
    PAIR(cuLaunchKernelEx, "cuLaunchKernelEx"), PAIR(cuGraphLaunch, "cuGraphLaunch"),
    PAIR(cuMemcpyDtoH_v2, "cuMemcpyDtoH_v2"), PAIR(cuMemcpyDtoHAsync_v2, "cuMemcpyDtoHAsync_v2"),
    PAIR(cuMemcpy, "cuMemcpy"), PAIR(cuMemcpyAsync, "cuMemcpyAsync"), PAIR(cuMemcpy2D_v2, "cuMemcpy2D_v2"),
    PAIR(cuMemcpy2DUnaligned_v2, "cuMemcpy2DUnaligned_v2"), PAIR(cuMemcpy2DAsync_v2, "cuMemcpy2DAsync_v2"),
    PAIR(cuStreamSynchronize, "cuStreamSynchronize"), PAIR(cuStreamQuery, "cuStreamQuery"),
    PAIR(cuEventSynchronize, "cuEventSynchronize"), PAIR(cuEventQuery, "cuEventQuery"), PAIR(cuEventRecord, "cuEventRecord"),
    PAIR(cuStreamWaitEvent, "cuStreamWaitEvent"), PAIR(cuEventElapsedTime, "cuEventElapsedTime"),
    PAIR(cuEventElapsedTime_v2, "cuEventElapsedTime_v2"), PAIR(cuStreamCreate, "cuStreamCreate"),
    PAIR(cuStreamCreateWithPriority, "cuStreamCreateWithPriority"), PAIR(cuDeviceGetCount, "cuDeviceGetCount"), PAIR(cuInit, "cuInit"),
    PAIR(cuModuleGetFunction, "cuModuleGetFunction"), PAIR(cuLibraryGetKernel, "cuLibraryGetKernel"),
    PAIR(cuKernelGetFunction, "cuKernelGetFunction"),
    PAIR(cuCtxSynchronize, "cuCtxSynchronize"), PAIR(cuCtxSynchronize_v2, "cuCtxSynchronize_v2"),
};
#define COUNT(list) (sizeof list / sizeof *list)

static const struct hook *hook_of(const struct hook *list, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(list[i].name, name)) { return &list[i]; }
    }
    return NULL;
}

static void *wrapped(const struct hook *hook, void *real) {
    if (!hook || !real || real == hook->function) { return real; }
    *hook->real = real;
    return hook->function;
}

/* The driver hands out its functions by their plain names; flag 2 asks for those with the default stream of the thread. */
static void give(const char *symbol, void **function, u64 flags) {
    char name[96];
    size_t length = strlen(symbol);
    if (!function || !*function || length > 80) { return; }
    const char *endings[] = {"", "_v2"};
    for (int i = 0; i < 2; i++) {
        memcpy(name, symbol, length);
        memcpy(name + length, endings[i], strlen(endings[i]) + 1);
        if (flags & 2) { memcpy(name + strlen(name), "_ptsz", 6); }
        const struct hook *hook = hook_of(cuda_hooks, COUNT(cuda_hooks), name);
        if (hook) {
            *function = wrapped(hook, *function);
            return;
        }
    }
}

static void *real_cuGetProcAddress, *real_cuGetProcAddress_v2;
EXPORT int cuGetProcAddress(const char *symbol, void **function, int version, u64 flags);
EXPORT int cuGetProcAddress_v2(const char *symbol, void **function, int version, u64 flags, void *status);

static void give_self(const char *symbol, void **function, int version) {
    if (strcmp(symbol, "cuGetProcAddress") || !*function) { return; }
    if (*function == (void *)cuGetProcAddress || *function == (void *)cuGetProcAddress_v2) { return; }
    if (version >= 12000) {
        real_cuGetProcAddress_v2 = *function;
        *function = (void *)cuGetProcAddress_v2;
    } else {
        real_cuGetProcAddress = *function;
        *function = (void *)cuGetProcAddress;
    }
}
EXPORT int cuGetProcAddress(const char *symbol, void **function, int version, u64 flags) {
    typedef int (*type)(const char *, void **, int, u64);
    type real = (type)next(&real_cuGetProcAddress, "cuGetProcAddress");
    if (!real) { return 999; }
    int error = real(symbol, function, version, flags);
    if (!error) { give(symbol, function, flags); give_self(symbol, function, version); }
    return error;
}
EXPORT int cuGetProcAddress_v2(const char *symbol, void **function, int version, u64 flags, void *status) {
    typedef int (*type)(const char *, void **, int, u64, void *);
    type real = (type)next(&real_cuGetProcAddress_v2, "cuGetProcAddress_v2");
    if (!real) { return 999; }
    int error = real(symbol, function, version, flags, status);
    if (!error) { give(symbol, function, flags); give_self(symbol, function, version); }
    return error;
}

static const struct hook lookups[] = {
    {"cuGetProcAddress", (void *)cuGetProcAddress, &real_cuGetProcAddress},
    {"cuGetProcAddress_v2", (void *)cuGetProcAddress_v2, &real_cuGetProcAddress_v2},
};

EXPORT void *dlsym(void *handle, const char *name) {
    dlsym_t real = real_dlsym();
    if (!real) { return NULL; }
    const struct hook *hook = NULL;
    if (name[0] == 'h' || name[0] == '_') { hook = hook_of(hip_hooks, COUNT(hip_hooks), name); }
    if (name[0] == 'c') {
        hook = hook_of(cuda_hooks, COUNT(cuda_hooks), name);
        if (!hook) { hook = hook_of(lookups, COUNT(lookups), name); }
    }
    if (hook) { return wrapped(hook, real(handle, name)); }
    /* A jump, so that RTLD_NEXT means the library that asks. */
    return real(handle, name);
}
