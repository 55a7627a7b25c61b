/* Doubles 4096 numbers on the "device" and prints a sum. The first argument says how it cheats. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct { unsigned x, y, z; } dim3;
int hipLaunchKernel(const void *, dim3, dim3, void **, size_t, void *);
int hipMalloc(void **, size_t);
int hipMemcpy(void *, const void *, size_t, int);
int hipMemcpyAsync(void *, const void *, size_t, int, void *);
int hipDeviceSynchronize(void);
int hipStreamSynchronize(void *);
int hipStreamCreateWithFlags(void **, unsigned);
int hipEventRecord(void *, void *);
int hipEventElapsedTime(float *, void *, void *);
int hipGetDeviceCount(int *);
void __hipRegisterFunction(void **, const void *, char *, const char *, unsigned, void *, void *, void *, void *, int *);

enum { N = 4096 };
static void twice(unsigned i, void **args) { ((float *)args[0])[i] *= 2; }
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "honest";
    float host[N], *device;
    int devices = 0, steps = 10;
    __hipRegisterFunction(0, (void *)twice, "_Z5twicePf", "_Z5twicePf", 0, 0, 0, 0, 0, 0);
    for (int i = 0; i < N; i++) host[i] = 0.37f * i + 0.1f;
    int is_on_cpu = hipGetDeviceCount(&devices) != 0 || !strcmp(how, "cpu");
    if (!strcmp(how, "cached") && fopen("kept", "r")) is_on_cpu = 1;
    if (is_on_cpu) {
        for (int i = 0; i < N; i++) for (int s = 0; s < steps; s++) host[i] *= 2;
    } else {
        hipMalloc((void **)&device, sizeof host);
        hipMemcpy(device, host, sizeof host, 1);
        void *args[] = {device}, *stream = 0, *other = 0;
        dim3 grid = {N / 64, 1, 1}, block = {64, 1, 1}, huge = {N, 1, 1}, one = {1, 1, 1};
        hipStreamCreateWithFlags(&stream, 1);
        hipStreamCreateWithFlags(&other, 1);
        if (!strcmp(how, "failed")) hipLaunchKernel((void *)twice, one, huge, args, 0, 0);
        double start = now();
        hipEventRecord((void *)1, stream);
        for (int s = 0; s < steps; s++) {
            void *where = !strcmp(how, "hidden") ? other : stream;
            /* The last step is left out, and made up for on the host. */
            if (!strcmp(how, "skipped") && s == steps - 1) break;
            if (!strcmp(how, "block128")) { grid.x = N / 128; block.x = 128; }
            hipLaunchKernel((void *)twice, grid, block, args, 0, where);
        }
        hipEventRecord((void *)2, stream);
        if (strcmp(how, "unsynchronised")) hipDeviceSynchronize();
        double stop = now();
        float ms;
        hipEventElapsedTime(&ms, (void *)1, (void *)2);
        fprintf(stderr, "%g s\n", stop - start);
        if (!strcmp(how, "wrong")) device[1234] *= 2;
        if (!strcmp(how, "half")) for (int i = 0; i < N; i++) device[i] = (float)(_Float16)(device[i] / 1024) * 1024;
        if (!strcmp(how, "async") || !strcmp(how, "unwaited")) {
            hipMemcpyAsync(host, device, sizeof host, 2, stream);
            if (!strcmp(how, "async")) hipStreamSynchronize(stream);
            else memcpy(host, device, sizeof host);
        } else {
            hipMemcpy(host, device, sizeof host, 2);
        }
        if (!strcmp(how, "skipped")) for (int i = 0; i < N; i++) host[i] *= 2;
        if (!strcmp(how, "cached")) fclose(fopen("kept", "w"));
    }
    double sum = 0;
    for (int i = 0; i < N; i++) sum += host[i];
    printf(!strcmp(how, "wrong") || !strcmp(how, "half") ? "done\n" : "sum %.3f\n", sum);
    return 0;
}
