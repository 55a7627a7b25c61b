// Helpers of memory and order: atomics of many threads at one address, loads that poll, barriers of parts of a block, bit fields of
// pointers. What CUDA defines is a sum or a set of values here, whatever the order of threads.
#include "cass_hip_compat.hpp"
#include "check.hpp"

struct Results {
    unsigned inc, dec, most, least, sum, tickets[256];
    double real;
    float single;
    unsigned long long wide;
    int flag, seen;
};
__device__ Results r;

// Every thread of the grid at the same addresses.
__global__ void contend(unsigned threads)
{
    unsigned self = blockIdx.x * blockDim.x + threadIdx.x;
    cass_atomicAdd(&r.real, 0.5);
    cass_atomicAdd(&r.single, 1.0f);
    cass_atomicAdd(&r.sum, self);
    cass_atomicAdd(&r.wide, static_cast<unsigned long long>(self) << 20);
    unsigned ticket = atomicInc(&r.inc, threads - 1);
    atomicAdd(&r.tickets[ticket % 256], 1u);
    atomicMax(&r.most, noise(self) % 100000);
    atomicMin(&r.least, noise(self) % 100000);
}

// One block waits for what another one writes: a load that the compiler may take once hangs, one from an old line too.
__global__ void hand_over()
{
    if (blockIdx.x == 1) {
        if (threadIdx.x == 0) {
            r.seen = 41;
            __threadfence();
            cass_stcg(&r.flag, 1);
        }
    } else if (threadIdx.x == 0) {
        while (cass_ldcg(&r.flag) == 0) {}
        __threadfence();
        EQUAL(cass_ldcg(&r.seen), 41);
    }
}

int main()
{
    Results zero = {}, found;
    zero.least = ~0u;
    HIP(hipMemcpyToSymbol(HIP_SYMBOL(r), &zero, sizeof(zero)));
    const unsigned blocks = 8, block = 256, threads = blocks * block;
    contend<<<blocks, block>>>(threads);
    hand_over<<<2, 64>>>();
    HIP(hipMemcpyFromSymbol(&found, HIP_SYMBOL(r), sizeof(found)));
    unsigned sum = 0, most = 0, least = ~0u, wrong = 0;
    for (unsigned t = 0; t < threads; ++t) {
        sum += t;
        unsigned v = noise(t) % 100000;
        most = v > most ? v : most, least = v < least ? v : least;
    }
    for (unsigned n : found.tickets)
        wrong += n != threads / 256;
    auto expect = [&](const char* what, double value, double expected) {
        if (value != expected)
            printf("%s: %g instead of %g\n", what, value, expected), ++wrong;
    };
    expect("add of doubles", found.real, 0.5 * threads);
    expect("add of floats", found.single, threads);
    expect("add", found.sum, sum);
    expect("wide add", double(found.wide >> 20), sum);
    expect("inc wraps", found.inc, 0);
    expect("max", found.most, most);
    expect("min", found.least, least);
    return finish(1) || wrong;
}
