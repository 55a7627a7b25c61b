/* What is written; src/verify/watch/mod.rs reads it. A part of watch.c. */

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
