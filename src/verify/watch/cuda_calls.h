/* CUDA's driver: two slots, one for functions that take the default stream of the thread. A part of watch.c. */

#define UNPACK(...) __VA_ARGS__
#define CUDA(name, PARAMETERS, ARGUMENTS, THEN) \
    static void *real_##name[2]; \
    static int name##_in(int slot, UNPACK PARAMETERS) { \
        typedef int (*type)(UNPACK PARAMETERS); \
        type real = (type)(slot ? real_##name[1] : next(&real_##name[0], #name)); \
        if (!real) { return 999; } \
        if (depth) { return real(UNPACK ARGUMENTS); } \
        depth++; \
        int error = real(UNPACK ARGUMENTS); \
        depth--; \
        THEN \
        return error; \
    } \
    EXPORT int name(UNPACK PARAMETERS) { return name##_in(0, UNPACK ARGUMENTS); } \
    static int name##_of_thread(UNPACK PARAMETERS) { return name##_in(1, UNPACK ARGUMENTS); }

struct cu_config { u32 gx, gy, gz, bx, by, bz, shared; void *stream; };
struct cu_2d {
    size_t from_x, from_y; int from_type; const void *from_host; u64 from_device; void *from_array; size_t from_pitch;
    size_t to_x, to_y; int to_type; void *to_host; u64 to_device; void *to_array; size_t to_pitch;
    size_t width, rows;
};
#define GRID struct dim3 g = {gx, gy, gz}, b = {bx, by, bz}
#define CONFIG struct dim3 g = {c->gx, c->gy, c->gz}, b = {c->bx, c->by, c->bz}

CUDA(cuLaunchKernel, (void *f, u32 gx, u32 gy, u32 gz, u32 bx, u32 by, u32 bz, u32 shared, void *s, void **args, void **extra),
     (f, gx, gy, gz, bx, by, bz, shared, s, args, extra), { GRID; launched(name_of(f), s, threads(g, b), error); })
CUDA(cuLaunchCooperativeKernel, (void *f, u32 gx, u32 gy, u32 gz, u32 bx, u32 by, u32 bz, u32 shared, void *s, void **args),
     (f, gx, gy, gz, bx, by, bz, shared, s, args), { GRID; launched(name_of(f), s, threads(g, b), error); })
CUDA(cuLaunchKernelEx, (const struct cu_config *c, void *f, void **args, void **extra), (c, f, args, extra),
     { CONFIG; launched(name_of(f), c->stream, threads(g, b), error); })
CUDA(cuGraphLaunch, (void *graph, void *s), (graph, s), { launched("(graph)", s, 0, error); })
CUDA(cuMemcpyDtoH_v2, (void *to, u64 from, size_t n), (to, from, n), { copied(to, n, NULL, 0, error); })
CUDA(cuMemcpyDtoHAsync_v2, (void *to, u64 from, size_t n, void *s), (to, from, n, s), { copied(to, n, s, 1, error); })

/* Attribute 2 is the kind of memory, 2 that of a device; host memory that was not registered is an error. */
static void *real_cuPointerGetAttribute;
static int cuda_goes_back(u64 to, u64 from) {
    typedef int (*type)(void *, int, u64);
    type real = (type)next(&real_cuPointerGetAttribute, "cuPointerGetAttribute");
    u32 of_to = 1, of_from = 1;
    if (!real) { return 0; }
    if (real(&of_to, 2, to)) { of_to = 1; }
    if (real(&of_from, 2, from)) { of_from = 1; }
    return of_from == 2 && of_to == 1;
}
CUDA(cuMemcpy, (u64 to, u64 from, size_t n), (to, from, n), { if (cuda_goes_back(to, from)) { copied((void *)to, n, NULL, 0, error); } })
CUDA(cuMemcpyAsync, (u64 to, u64 from, size_t n, void *s), (to, from, n, s),
     { if (cuda_goes_back(to, from)) { copied((void *)to, n, s, 1, error); } })
#define PLAIN_2D (c->to_type == 1 && c->to_pitch == c->width && !c->to_x && !c->to_y)
CUDA(cuMemcpy2D_v2, (const struct cu_2d *c), (c), { if (PLAIN_2D) { copied(c->to_host, c->width * c->rows, NULL, 0, error); } })
CUDA(cuMemcpy2DUnaligned_v2, (const struct cu_2d *c), (c), { if (PLAIN_2D) { copied(c->to_host, c->width * c->rows, NULL, 0, error); } })
CUDA(cuMemcpy2DAsync_v2, (const struct cu_2d *c, void *s), (c, s), { if (PLAIN_2D) { copied(c->to_host, c->width * c->rows, s, 1, error); } })
CUDA(cuStreamSynchronize, (void *s), (s), { if (!error) { waited(s, 0); } })
CUDA(cuStreamQuery, (void *s), (s), { if (!error) { waited(s, 0); } })
CUDA(cuEventSynchronize, (void *e), (e), { if (!error) { event_waited(e); } })
CUDA(cuEventQuery, (void *e), (e), { if (!error) { event_waited(e); } })
CUDA(cuEventRecord, (void *e, void *s), (e, s), { if (!error) { recorded(e, s); } })
CUDA(cuStreamWaitEvent, (void *s, void *e, u32 flags), (s, e, flags), { if (!error) { joined(e); } })
CUDA(cuEventElapsedTime, (float *ms, void *a, void *b), (ms, a, b), { if (!error) { elapsed(a, b); } })
CUDA(cuEventElapsedTime_v2, (float *ms, void *a, void *b), (ms, a, b), { if (!error) { elapsed(a, b); } })
CUDA(cuStreamCreate, (void **s, u32 flags), (s, flags), { if (!error) { created(*s, flags); } })
CUDA(cuStreamCreateWithPriority, (void **s, u32 flags, int priority), (s, flags, priority), { if (!error) { created(*s, flags); } })
CUDA(cuDeviceGetCount, (int *count), (count), { counted(error, *count); })
CUDA(cuInit, (u32 flags), (flags), { if (error) { counted(error, 0); } })
CUDA(cuModuleGetFunction, (void **f, void *module, const char *name), (f, module, name), { if (!error) { named(*f, name, 0); } })
CUDA(cuLibraryGetKernel, (void **f, void *library, const char *name), (f, library, name), { if (!error) { named(*f, name, 0); } })
CUDA(cuKernelGetFunction, (void **f, void *kernel), (f, kernel),
     { if (!error && name_of(kernel)) { named(*f, name_of(kernel), 1); } })

/* The later one is told the context; to the earlier one, an argument too many is none. */
CUDA(cuCtxSynchronize, (void *c), (c), { if (!error) { waited(NULL, 1); } })
CUDA(cuCtxSynchronize_v2, (void *c), (c), { if (!error) { waited(NULL, 1); } })
