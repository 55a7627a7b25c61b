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

/* One translation unit, in parts that build on each other in this order. */
#include "written.h"
#include "samples.h"
#include "streams.h"
#include "names.h"
#include "hip_calls.h"
#include "cuda_calls.h"
#include "lookup.h"
#include "clocks.h"
