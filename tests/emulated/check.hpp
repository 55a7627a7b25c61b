// Checks in kernels: failures are counted by line and told at the end.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <hip/hip_runtime.h>

struct Failure {
    unsigned count, block, thread;
    long long found, expected;
};
constexpr int line_count = 2000;
static __device__ Failure failed_at[line_count];
static __device__ unsigned long long checks_made;

__device__ inline void check_equal(long long found, long long expected, int line)
{
    atomicAdd(&checks_made, 1ull);
    if (found == expected)
        return;
    if (atomicAdd(&failed_at[line].count, 1u) == 0) {
        failed_at[line].block = blockIdx.x;
        failed_at[line].thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
        failed_at[line].found = found;
        failed_at[line].expected = expected;
    }
}
#define EQUAL(found, expected) check_equal(static_cast<long long>(found), static_cast<long long>(expected), __LINE__)
#define HOLDS(condition) check_equal((condition) ? 1 : 0, 1, __LINE__)
#define HIP(call)                                                                                        \
    do {                                                                                                 \
        hipError_t e = call;                                                                             \
        if (e != hipSuccess) {                                                                           \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, hipGetErrorString(e));                  \
            exit(2);                                                                                     \
        }                                                                                                \
    } while (0)

// Waits for the kernels and tells what failed; the exit code of the program. `at_least`: fewer checks mean that something did not run.
inline int finish(unsigned long long at_least)
{
    HIP(hipDeviceSynchronize());
    static Failure failures[line_count];
    unsigned long long made = 0, failed = 0;
    HIP(hipMemcpyFromSymbol(failures, HIP_SYMBOL(failed_at), sizeof(failures)));
    HIP(hipMemcpyFromSymbol(&made, HIP_SYMBOL(checks_made), sizeof(made)));
    for (int line = 0; line < line_count; ++line) {
        const Failure& f = failures[line];
        if (f.count)
            printf("line %d: %u times, first in block %u, thread %u: %lld (%#llx) instead of %lld (%#llx)\n", line, f.count, f.block,
                   f.thread, f.found, f.found, f.expected, f.expected);
        failed += f.count;
    }
    printf("%llu checks, %llu failed\n", made, failed);
    return failed != 0 || made < at_least;
}

// A number that looks random and is the same everywhere.
__host__ __device__ inline unsigned noise(unsigned x)
{
    x = (x ^ 61) ^ (x >> 16);
    x *= 9;
    x = (x ^ (x >> 4)) * 0x27d4eb2d;
    return x ^ (x >> 15);
}
// Members of the mask, within the warp of a thread, for which `holds` is true.
template <typename F> __device__ inline unsigned lanes_where(unsigned thread, unsigned mask, F holds)
{
    unsigned result = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1 && holds(thread / 32 * 32 + lane))
            result |= 1u << lane;
    return result;
}
__device__ inline unsigned this_thread()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
