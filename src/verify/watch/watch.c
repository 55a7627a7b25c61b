/* Preloaded into a HIP or CUDA program by `cass-transpile verify --buffers`: counts launches, takes samples of what is copied back to
 * the host, and notices what is not waited for. Everything goes into the folder $CASS_VERIFY_WATCH: <pid>.counts, mapped, so that it
 * survives a crash, and <pid>.copies, appended.
 *
 * HIP's functions are interposed by name. CUDA's runtime is mostly linked statically and asks the driver's library for its functions
 * through dlsym and cuGetProcAddress: both are interposed, and the driver's functions are handed out wrapped.
 *
 * No header of libc, and no library that it is linked against: the same object serves any glibc, and needs no CUDA and no ROCm. */

typedef unsigned long u64;
typedef unsigned int u32;
typedef unsigned long size_t;
#define NULL ((void *)0)
#define NEXT ((void *)-1L)
#define EXPORT __attribute__((visibility("default")))
#define THREAD static __thread __attribute__((tls_model("initial-exec")))
#define WEAK __attribute__((weak))

extern void *dlvsym(void *, const char *, const char *) WEAK;
struct dl_info { const char *file; void *base; const char *name; void *address; };
extern int dladdr(const void *, struct dl_info *) WEAK;
extern char *getenv(const char *);
extern int getpid(void);
extern int open(const char *, int, ...);
extern long write(int, const void *, size_t);
extern int close(int);
extern int ftruncate(int, long);
extern void *mmap(void *, size_t, int, int, int, long);
extern int strcmp(const char *, const char *);
extern char *strstr(const char *, const char *);
extern size_t strlen(const char *);
extern void *memcpy(void *, const void *, size_t);

/* ---- what is written; src/verify/watch/mod.rs reads it ---- */

#define KERNELS 512
#define NAME 240
#define SAMPLES 64
#define BLOCKS 16
#define MOST_COPIES 20000

struct kernel { char name[NAME]; u64 launches, threads; };
struct counts {
    u64 launches, failed, copies, unwaited, unsynchronised, hidden, no_device, kernels;
    struct kernel kernel[KERNELS];
};
struct copy {
    u64 bytes, hash[2], constant, samples;
    u64 sample[SAMPLES];
    u64 blocks;
    double sum[BLOCKS][4];
};

static struct counts nowhere, *seen = &nowhere;
static int copies_file = -1, owner;
static volatile int locked;
THREAD int depth;

static void lock(void) { while (__atomic_exchange_n(&locked, 1, __ATOMIC_ACQUIRE)) { } }
static void unlock(void) { __atomic_store_n(&locked, 0, __ATOMIC_RELEASE); }
static void add(u64 *count, u64 more) { __atomic_fetch_add(count, more, __ATOMIC_RELAXED); }

static void path_of(char *path, const char *folder, int pid, const char *ending) {
    char digits[12];
    int count = 0;
    size_t length = strlen(folder);
    memcpy(path, folder, length);
    path[length++] = '/';
    do { digits[count++] = (char)('0' + pid % 10); } while (pid /= 10);
    while (count) { path[length++] = digits[--count]; }
    memcpy(path + length, ending, strlen(ending) + 1);
}

/* The files of this process; a fork gets its own. */
static void begin(void) {
    int pid = getpid();
    if (owner == pid) { return; }
    lock();
    const char *folder = getenv("CASS_VERIFY_WATCH");
    if (owner != pid && folder && strlen(folder) < 3900) {
        char path[4096];
        path_of(path, folder, pid, ".counts");
        int file = open(path, 02 | 0100, 0600);
        if (file >= 0 && ftruncate(file, sizeof(struct counts)) == 0) {
            void *map = mmap(NULL, sizeof(struct counts), 3, 1, file, 0);
            if (map != (void *)-1L) { seen = map; }
        }
        if (file >= 0) { close(file); }
        path_of(path, folder, pid, ".copies");
        copies_file = open(path, 01 | 0100 | 02000, 0600);
    }
    owner = pid;
    unlock();
}

/* ---- samples of a buffer ---- */

static u64 mix(u64 hash, u64 word, u64 factor) {
    hash = (hash ^ word) * factor;
    return hash ^ (hash >> 29);
}

static void sum(double *sums, double value) {
    double size = value < 0 ? -value : value;
    if (size < 1e30) { sums[0] += value; sums[1] += size; }
}

static void digest(struct copy *copy, const unsigned char *bytes, u64 count) {
    u64 words = count / 8, samples = words < SAMPLES ? words : SAMPLES, blocks = words < BLOCKS ? words : BLOCKS;
    u64 first = 0, next = 0;
    copy->bytes = count;
    copy->constant = 1;
    copy->samples = samples;
    copy->blocks = blocks;
    copy->hash[0] = 0x9e3779b97f4a7c15UL ^ count;
    copy->hash[1] = 0xd6e8feb86659fd93UL;
    for (u64 i = 0; i < words; i++) {
        u64 word;
        float half[2];
        double whole;
        memcpy(&word, bytes + 8 * i, 8);
        memcpy(half, &word, 8);
        memcpy(&whole, &word, 8);
        copy->hash[0] = mix(copy->hash[0], word, 0xff51afd7ed558ccdUL);
        copy->hash[1] = mix(copy->hash[1], word, 0xc4ceb9fe1a85ec53UL);
        if (next < samples && i == next * words / samples) { copy->sample[next++] = word; }
        double *sums = copy->sum[i * blocks / words];
        sum(sums, half[0]);
        sum(sums, half[1]);
        sum(sums + 2, whole);
        if (i == 0) { first = word; }
        copy->constant &= word == first;
    }
    for (u64 i = words * 8; i < count; i++) {
        copy->hash[0] = mix(copy->hash[0], bytes[i], 0xff51afd7ed558ccdUL);
        copy->hash[1] = mix(copy->hash[1], bytes[i], 0xc4ceb9fe1a85ec53UL);
    }
}

static void took(const void *bytes, u64 count) {
    begin();
    static struct copy copy;
    lock();
    if (bytes && count && seen->copies < MOST_COPIES && copies_file >= 0) {
        struct copy empty = {0};
        copy = empty;
        digest(&copy, bytes, count);
        if (write(copies_file, &copy, sizeof copy) != sizeof copy) { close(copies_file); copies_file = -1; }
    }
    seen->copies++;
    unlock();
}

/* ---- streams: what was launched on each, and waited for ---- */

#define STREAMS 64
#define PENDING 256
#define EVENTS 256

struct stream { void *name; u64 last, joined; int used, independent; };
struct pending { void *bytes; u64 count; void *stream; int used; };
struct event { void *name, *stream; u64 begin, unjoined; };

static struct stream streams[STREAMS];
static struct pending pending[PENDING];
static struct event events[EVENTS];
static u64 sequence, next_event;
THREAD u64 at_clock;
THREAD int has_clock, has_launched;

static struct stream *stream_of(void *name) {
    for (int i = 0; i < STREAMS; i++) {
        if (streams[i].used && streams[i].name == name) { return &streams[i]; }
    }
    for (int i = 0; i < STREAMS; i++) {
        if (!streams[i].used) {
            streams[i].used = 1;
            streams[i].name = name;
            return &streams[i];
        }
    }
    return &streams[STREAMS - 1];
}

static struct event *event_of(void *name) {
    for (int i = 0; i < EVENTS; i++) {
        if (events[i].name == name && name) { return &events[i]; }
    }
    return NULL;
}

static void launched(const char *name, void *stream, u64 threads, int error) {
    begin();
    lock();
    has_launched = 1;
    if (error) { seen->failed++; unlock(); return; }
    seen->launches++;
    stream_of(stream)->last = ++sequence;
    if (!name) { name = "?"; }
    u64 i = 0;
    while (i < seen->kernels && strcmp(seen->kernel[i].name, name)) { i++; }
    size_t length = strlen(name);
    if (i == seen->kernels && i < KERNELS && length < NAME) {
        memcpy(seen->kernel[i].name, name, length + 1);
        seen->kernels++;
    }
    if (i < seen->kernels) {
        seen->kernel[i].launches++;
        seen->kernel[i].threads += threads;
    }
    unlock();
}

/* Copies that have arrived are looked at. `all`: the whole device was waited for. */
static void waited(void *stream, int all) {
    struct pending ready;
    lock();
    for (int i = 0; i < STREAMS; i++) {
        if (streams[i].used && (all || streams[i].name == stream)) { streams[i].joined = streams[i].last; }
    }
    for (int i = 0; i < PENDING; i++) {
        if (!pending[i].used || !(all || pending[i].stream == stream)) { continue; }
        ready = pending[i];
        pending[i].used = 0;
        seen->unwaited--;
        unlock();
        took(ready.bytes, ready.count);
        lock();
    }
    unlock();
}

static void copied(void *bytes, u64 count, void *stream, int is_async, int error) {
    if (error) { return; }
    begin();
    if (!is_async) {
        waited(stream, stream == NULL);
        took(bytes, count);
        return;
    }
    lock();
    int slot = -1;
    for (int i = 0; i < PENDING && slot < 0; i++) {
        if (!pending[i].used) { slot = i; }
    }
    if (slot >= 0) {
        struct pending item = {bytes, count, stream, 1};
        pending[slot] = item;
        seen->unwaited++;
    }
    unlock();
}

static void recorded(void *event, void *stream) {
    begin();
    lock();
    struct event *entry = event_of(event);
    if (!entry) { entry = &events[next_event++ % EVENTS]; }
    struct stream *own = stream_of(stream);
    struct event item = {event, stream, sequence, 0};
    for (int i = 0; i < STREAMS; i++) {
        struct stream *other = &streams[i];
        /* The default stream and blocking streams wait for each other. */
        int waits = (stream == NULL && !other->independent) || (other->name == NULL && !own->independent);
        if (other->used && other != own && !waits && other->last > other->joined && other->last > item.unjoined) {
            item.unjoined = other->last;
        }
    }
    *entry = item;
    unlock();
}

static void joined(void *event) {
    lock();
    struct event *entry = event_of(event);
    if (entry) {
        struct stream *other = stream_of(entry->stream);
        other->joined = other->last;
    }
    unlock();
}

static void event_waited(void *event) {
    lock();
    struct event *entry = event_of(event);
    void *stream = entry ? entry->stream : NULL;
    unlock();
    if (entry) { waited(stream, 0); }
}

static void elapsed(void *start, void *stop) {
    lock();
    struct event *a = event_of(start), *b = event_of(stop);
    if (a && b && b->unjoined > a->begin) { seen->hidden++; }
    unlock();
}

static void created(void *stream, u32 flags) {
    lock();
    struct stream *entry = stream_of(stream);
    struct stream item = {stream, 0, 0, 1, flags & 1};
    *entry = item;
    unlock();
}

static void counted(int error, int count) {
    if (error || count == 0) {
        begin();
        add(&seen->no_device, 1);
    }
}

/* ---- names of kernels by what launches name them with ---- */

#define FUNCTIONS 8192
static struct { const void *function; const char *name; } functions[FUNCTIONS];
static char names[1 << 18];
static u64 names_used;

static u64 place(const void *function) { return ((u64)function >> 4) * 0x9e3779b97f4a7c15UL >> 51; }

static void named(const void *function, const char *name, int is_kept) {
    lock();
    size_t length = strlen(name) + 1;
    if (!is_kept && names_used + length <= sizeof names) {
        name = memcpy(names + names_used, name, length);
        names_used += length;
    } else if (!is_kept) {
        name = "?";
    }
    for (u64 i = 0, at = place(function); i < FUNCTIONS; i++, at = (at + 1) % FUNCTIONS) {
        if (!functions[at].function || functions[at].function == function) {
            functions[at].function = function;
            functions[at].name = name;
            break;
        }
    }
    unlock();
}

static const char *name_of(const void *function) {
    for (u64 i = 0, at = place(function); i < FUNCTIONS && functions[at].function; i++, at = (at + 1) % FUNCTIONS) {
        if (functions[at].function == function) { return functions[at].name; }
    }
    return NULL;
}

/* ---- the functions that the program would have called ---- */

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

/* ---- CUDA's driver: two slots, one for functions that take the default stream of the thread ---- */

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

/* ---- looking functions up ---- */

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

/* ---- clocks ---- */

/* Runtimes read clocks while they work; what they measure is theirs. */
static int is_runtime(const void *caller) {
    struct dl_info info;
    if (!dladdr || !dladdr(caller, &info) || !info.file) { return 0; }
    const char *name = info.file, *slash = name;
    while ((slash = strstr(slash, "/"))) { name = ++slash; }
    static const char *const runtimes[] = {"libamdhip64", "libhip_emulator", "libhsa", "libcuda", "libamd", "librocm", "libnv"};
    for (size_t i = 0; i < COUNT(runtimes); i++) {
        if (strstr(name, runtimes[i]) == name) { return 1; }
    }
    return 0;
}

static void read_clock(const void *caller) {
    if (depth || !has_launched || is_runtime(caller)) { return; }
    lock();
    u64 in_flight = 0;
    for (int i = 0; i < STREAMS; i++) { in_flight |= streams[i].used && streams[i].last > streams[i].joined; }
    if (has_clock && sequence > at_clock && in_flight) { seen->unsynchronised++; }
    at_clock = sequence;
    has_clock = 1;
    unlock();
}

EXPORT int clock_gettime(int clock, void *time) {
    static void *real;
    typedef int (*type)(int, void *);
    if (!next(&real, "clock_gettime")) { return -1; }
    if (!has_launched && !depth) { has_clock = 1; at_clock = sequence; }
    read_clock(__builtin_return_address(0));
    return ((type)real)(clock, time);
}
EXPORT int gettimeofday(void *time, void *zone) {
    static void *real;
    typedef int (*type)(void *, void *);
    if (!next(&real, "gettimeofday")) { return -1; }
    if (!has_launched && !depth) { has_clock = 1; at_clock = sequence; }
    read_clock(__builtin_return_address(0));
    return ((type)real)(time, zone);
}
