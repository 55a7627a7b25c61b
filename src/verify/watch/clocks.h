/* Clocks. A part of watch.c. */

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
