/* A driver's library with the names of CUDA's, which hands its functions out as CUDA's does. */
#include <string.h>

int cuInit(unsigned flags) { return 0; }
int cuDeviceGetCount(int *n) { *n = 1; return 0; }
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *s, void **args, void **extra) {
    for (unsigned i = 0; i < gx * bx; i++) ((void (*)(unsigned, void **))f)(i, args);
    return 0;
}
int cuMemcpyDtoH_v2(void *to, unsigned long from, unsigned long n) { memcpy(to, (void *)from, n); return 0; }
int cuMemcpyDtoH_v2_ptds(void *to, unsigned long from, unsigned long n) { memcpy(to, (void *)from, n); return 0; }
int cuLibraryGetKernel(void **f, void *library, const char *name) { *f = library; return 0; }
int cuCtxSynchronize(void) { return 0; }
int cuCtxSynchronize_v2(void *context) { return context != (void *)7; }
int cuGetProcAddress_v2(const char *symbol, void **f, int version, unsigned long flags, void *status) {
    *f = 0;
    if (!strcmp(symbol, "cuInit")) *f = (void *)cuInit;
    if (!strcmp(symbol, "cuDeviceGetCount")) *f = (void *)cuDeviceGetCount;
    if (!strcmp(symbol, "cuLaunchKernel")) *f = (void *)cuLaunchKernel;
    if (!strcmp(symbol, "cuLibraryGetKernel")) *f = (void *)cuLibraryGetKernel;
    if (!strcmp(symbol, "cuMemcpyDtoH")) *f = flags & 2 ? (void *)cuMemcpyDtoH_v2_ptds : (void *)cuMemcpyDtoH_v2;
    if (!strcmp(symbol, "cuCtxSynchronize")) *f = version >= 13000 ? (void *)cuCtxSynchronize_v2 : (void *)cuCtxSynchronize;
    if (!strcmp(symbol, "cuGetProcAddress")) *f = (void *)cuGetProcAddress_v2;
    return *f ? 0 : 500;
}
