/* The functions that the program would have called. A part of watch.c. */

typedef void *(*dlsym_t)(void *, const char *);
static dlsym_t real_dlsym(void) {
    static dlsym_t found;
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
    for (int i = 0; !found && dlvsym && i < 3; i++) { found = (dlsym_t)dlvsym(NEXT, "dlsym", versions[i]); }
    return found;
}

static void *next(void **real, const char *name) {
    dlsym_t find = real_dlsym();
    if (!*real && find) { *real = find(NEXT, name); }
    return *real;
}

struct dim3 { u32 x, y, z; };
static u64 threads(struct dim3 a, struct dim3 b) { return (u64)a.x * a.y * a.z * b.x * b.y * b.z; }

/* A HIP function: what it really is, and a name by which dlsym finds this one in its place. */
#define HIP(name, PARAMETERS) \
    static void *real_##name; \
    typedef int (*name##_t) PARAMETERS; \
    EXPORT int name PARAMETERS
#define CALL(name, ...) \
    name##_t real = (name##_t)next(&real_##name, #name); \
    if (!real) { return 999; } \
    if (depth) { return real(__VA_ARGS__); } \
    depth++; \
    int error = real(__VA_ARGS__); \
    depth--

#define LAUNCH(name, shared_t) \
    HIP(name, (const void *f, struct dim3 g, struct dim3 b, void **args, shared_t shared, void *s)) { \
        CALL(name, f, g, b, args, shared, s); \
        launched(name_of(f), s, threads(g, b), error); \
        return error; \
    }
LAUNCH(hipLaunchKernel, size_t)
LAUNCH(hipLaunchKernel_spt, size_t)
LAUNCH(hipLaunchCooperativeKernel, u32)
LAUNCH(hipLaunchCooperativeKernel_spt, u32)

HIP(hipExtLaunchKernel, (const void *f, struct dim3 g, struct dim3 b, void **args, size_t shared, void *s, void *e1, void *e2, int flags)) {
    CALL(hipExtLaunchKernel, f, g, b, args, shared, s, e1, e2, flags);
    launched(name_of(f), s, threads(g, b), error);
    return error;
}
struct launch_config { struct dim3 grid, block; size_t shared; void *stream; };
HIP(hipLaunchKernelExC, (const struct launch_config *c, const void *f, void **args)) {
    CALL(hipLaunchKernelExC, c, f, args);
    launched(name_of(f), c->stream, threads(c->grid, c->block), error);
    return error;
}
#define MODULE_LAUNCH(name) \
    HIP(name, (void *f, u32 gx, u32 gy, u32 gz, u32 bx, u32 by, u32 bz, u32 shared, void *s, void **args, void **extra)) { \
        CALL(name, f, gx, gy, gz, bx, by, bz, shared, s, args, extra); \
        struct dim3 g = {gx, gy, gz}, b = {bx, by, bz}; \
        launched(name_of(f), s, threads(g, b), error); \
        return error; \
    }
MODULE_LAUNCH(hipModuleLaunchKernel)
MODULE_LAUNCH(hipModuleLaunchCooperativeKernel)
/* Its grid is counted in threads. */
HIP(hipExtModuleLaunchKernel, (void *f, u32 gx, u32 gy, u32 gz, u32 bx, u32 by, u32 bz, size_t shared, void *s, void **args, void **extra, void *e1, void *e2, u32 flags)) {
    CALL(hipExtModuleLaunchKernel, f, gx, gy, gz, bx, by, bz, shared, s, args, extra, e1, e2, flags);
    launched(name_of(f), s, (u64)gx * gy * gz, error);
    return error;
}
#define GRAPH_LAUNCH(name) \
    HIP(name, (void *graph, void *s)) { \
        CALL(name, graph, s); \
        launched("(graph)", s, 0, error); \
        return error; \
    }
GRAPH_LAUNCH(hipGraphLaunch)
GRAPH_LAUNCH(hipGraphLaunch_spt)

HIP(hipPointerGetAttribute, (int *value, int attribute, const void *p)) {
    next(&real_hipPointerGetAttribute, "hipPointerGetAttribute");
    return real_hipPointerGetAttribute ? ((hipPointerGetAttribute_t)real_hipPointerGetAttribute)(value, attribute, p) : 999;
}

/* 2: to the host; 4: as the pointers say, where attribute 2 is the kind of memory, 2 that of a device. */
static int goes_back(int kind, const void *to, const void *from) {
    int of_to = 0, of_from = 0;
    if (kind != 4) { return kind == 2; }
    depth++;
    int is_device = hipPointerGetAttribute(&of_to, 2, to) == 0 && of_to == 2;
    int is_from = hipPointerGetAttribute(&of_from, 2, from) == 0 && of_from == 2;
    depth--;
    return is_from && !is_device;
}

#define MEMCPY(name) \
    HIP(name, (void *to, const void *from, size_t n, int kind)) { \
        CALL(name, to, from, n, kind); \
        if (goes_back(kind, to, from)) { copied(to, n, NULL, 0, error); } \
        return error; \
    }
MEMCPY(hipMemcpy)
MEMCPY(hipMemcpy_spt)
#define MEMCPY_STREAM(name, is_async) \
    HIP(name, (void *to, const void *from, size_t n, int kind, void *s)) { \
        CALL(name, to, from, n, kind, s); \
        if (goes_back(kind, to, from)) { copied(to, n, s, is_async, error); } \
        return error; \
    }
MEMCPY_STREAM(hipMemcpyAsync, 1)
MEMCPY_STREAM(hipMemcpyAsync_spt, 1)
MEMCPY_STREAM(hipMemcpyWithStream, 0)
HIP(hipMemcpyDtoH, (void *to, void *from, size_t n)) {
    CALL(hipMemcpyDtoH, to, from, n);
    copied(to, n, NULL, 0, error);
    return error;
}
HIP(hipMemcpyDtoHAsync, (void *to, void *from, size_t n, void *s)) {
    CALL(hipMemcpyDtoHAsync, to, from, n, s);
    copied(to, n, s, 1, error);
    return error;
}
HIP(hipMemcpyFromSymbol, (void *to, const void *from, size_t n, size_t at, int kind)) {
    CALL(hipMemcpyFromSymbol, to, from, n, at, kind);
    if (kind == 2 || kind == 4) { copied(to, n, NULL, 0, error); }
    return error;
}
HIP(hipMemcpyFromSymbolAsync, (void *to, const void *from, size_t n, size_t at, int kind, void *s)) {
    CALL(hipMemcpyFromSymbolAsync, to, from, n, at, kind, s);
    if (kind == 2 || kind == 4) { copied(to, n, s, 1, error); }
    return error;
}
/* Rows that follow each other are one copy; others are left to what is done with them. */
HIP(hipMemcpy2D, (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t rows, int kind)) {
    CALL(hipMemcpy2D, to, to_pitch, from, from_pitch, width, rows, kind);
    if (goes_back(kind, to, from) && to_pitch == width) { copied(to, width * rows, NULL, 0, error); }
    return error;
}
HIP(hipMemcpy2DAsync, (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t rows, int kind, void *s)) {
    CALL(hipMemcpy2DAsync, to, to_pitch, from, from_pitch, width, rows, kind, s);
    if (goes_back(kind, to, from) && to_pitch == width) { copied(to, width * rows, s, 1, error); }
    return error;
}

HIP(hipDeviceSynchronize, (void)) {
    CALL(hipDeviceSynchronize);
    if (!error) { waited(NULL, 1); }
    return error;
}
#define WAIT_STREAM(name) \
    HIP(name, (void *s)) { \
        CALL(name, s); \
        if (!error) { waited(s, 0); } \
        return error; \
    }
WAIT_STREAM(hipStreamSynchronize)
WAIT_STREAM(hipStreamSynchronize_spt)
WAIT_STREAM(hipStreamQuery)
#define WAIT_EVENT(name) \
    HIP(name, (void *e)) { \
        CALL(name, e); \
        if (!error) { event_waited(e); } \
        return error; \
    }
WAIT_EVENT(hipEventSynchronize)
WAIT_EVENT(hipEventQuery)
HIP(hipEventRecord, (void *e, void *s)) {
    CALL(hipEventRecord, e, s);
    if (!error) { recorded(e, s); }
    return error;
}
HIP(hipStreamWaitEvent, (void *s, void *e, u32 flags)) {
    CALL(hipStreamWaitEvent, s, e, flags);
    if (!error) { joined(e); }
    return error;
}
HIP(hipEventElapsedTime, (float *ms, void *start, void *stop)) {
    CALL(hipEventElapsedTime, ms, start, stop);
    if (!error) { elapsed(start, stop); }
    return error;
}
HIP(hipStreamCreate, (void **s)) {
    CALL(hipStreamCreate, s);
    if (!error) { created(*s, 0); }
    return error;
}
HIP(hipStreamCreateWithFlags, (void **s, u32 flags)) {
    CALL(hipStreamCreateWithFlags, s, flags);
    if (!error) { created(*s, flags); }
    return error;
}
HIP(hipGetDeviceCount, (int *count)) {
    CALL(hipGetDeviceCount, count);
    counted(error, *count);
    return error;
}
HIP(hipModuleGetFunction, (void **f, void *module, const char *name)) {
    CALL(hipModuleGetFunction, f, module, name);
    if (!error) { named(*f, name, 0); }
    return error;
}

typedef void (*register_t)(void **, const void *, char *, const char *, u32, void *, void *, void *, void *, int *);
static void *real___hipRegisterFunction;
EXPORT void __hipRegisterFunction(void **m, const void *f, char *device, const char *name, u32 limit, void *a, void *b, void *c, void *d, int *e) {
    named(f, name, 1);
    register_t real = (register_t)next(&real___hipRegisterFunction, "__hipRegisterFunction");
    if (real) { real(m, f, device, name, limit, a, b, c, d, e); }
}
