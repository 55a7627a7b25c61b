/* The same program as a static CUDA runtime makes it: the driver's functions come from dlsym and cuGetProcAddress. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { N = 4096 };
static void twice(unsigned i, void **args) { ((float *)args[0])[i] *= 2; }

int main(int argc, char **argv) {
    float host[N], device[N];
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) { printf("no driver\n"); return 1; }
    int (*address)(const char *, void **, int, unsigned long, void *) = 0;
    *(void **)&address = dlsym(library, "cuGetProcAddress_v2");
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
    int (*back)(void *, unsigned long, unsigned long), (*named)(void **, void *, const char *), (*wait)(void *);
    /* As the runtime does, it asks for the way to ask again. */
    address("cuGetProcAddress", (void **)&address, 12000, 0, 0);
    address("cuLaunchKernel", (void **)&launch, 12000, 0, 0);
    address("cuMemcpyDtoH", (void **)&back, 12000, argc > 1 ? 2 : 0, 0);
    address("cuLibraryGetKernel", (void **)&named, 12000, 0, 0);
    address("cuCtxSynchronize", (void **)&wait, 13000, 0, 0);
    void *kernel, *args[] = {device};
    named(&kernel, (void *)twice, "_Z5twicePf");
    for (int i = 0; i < N; i++) device[i] = 0.37f * i + 0.1f;
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    for (int s = 0; s < 10; s++) launch(kernel, N / 32, 1, 1, 32, 1, 1, 0, 0, args, 0);
    if (wait((void *)7)) return 3;
    clock_gettime(CLOCK_MONOTONIC, &after);
    back(host, (unsigned long)device, sizeof host);
    double sum = 0;
    for (int i = 0; i < N; i++) sum += host[i];
    printf("sum %.3f\n", sum);
    return 0;
}
