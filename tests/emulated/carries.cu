// Numbers of 256 bits whose carries go on from one asm statement to the next, against those of 128-bit arithmetic on the host.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#define ADD_OUT(sum, a, b) asm volatile("add.cc.u64 %0, %1, %2;" : "=l"(sum) : "l"(a), "l"(b) : "memory");
#define ADD_ON(sum, a, b) asm volatile("addc.cc.u64 %0, %1, %2;" : "=l"(sum) : "l"(a), "l"(b) : "memory");
#define ADD_IN(sum, a, b) asm volatile("addc.u64 %0, %1, %2;" : "=l"(sum) : "l"(a), "l"(b));

typedef unsigned long long word;

__device__ __forceinline__ word subtract_out(word a, word b)
{
    word difference;
    asm volatile("sub.cc.u64 %0, %1, %2;" : "=l"(difference) : "l"(a), "l"(b));
    return difference;
}

__device__ __forceinline__ word subtract_on(word a, word b)
{
    word difference;
    asm volatile("subc.cc.u64 %0, %1, %2;" : "=l"(difference) : "l"(a), "l"(b));
    return difference;
}

__device__ __forceinline__ word borrow()
{
    word all;
    asm volatile("subc.u64 %0, 0, 0;" : "=l"(all));
    return all;
}

// Two words by one: the carry goes over four statements.
__device__ void multiply(word *product, const word *a, word b)
{
    asm volatile("mul.lo.u64 %0, %1, %2;" : "=l"(product[0]) : "l"(a[0]), "l"(b));
    asm volatile("mul.hi.u64 %0, %1, %2;" : "=l"(product[1]) : "l"(a[0]), "l"(b));
    asm volatile("mad.lo.cc.u64 %0, %1, %2, %3;" : "=l"(product[1]) : "l"(a[1]), "l"(b), "l"(product[1]));
    asm volatile("madc.hi.u64 %0, %1, %2, 0;" : "=l"(product[2]) : "l"(a[1]), "l"(b));
}

__device__ unsigned add_halves(unsigned *sum, const unsigned *other, int words)
{
    unsigned carry;
    asm volatile("add.cc.u32 %0, %0, %1;" : "+r"(sum[0]) : "r"(other[0]));
    for (int i = 1; i < words; i++)
        asm volatile("addc.cc.u32 %0, %0, %1;" : "+r"(sum[i]) : "r"(other[i]));
    asm volatile("addc.u32 %0, 0, 0;" : "=r"(carry));
    return carry;
}

// The upper words of a product of negative numbers.
__device__ void multiply_signed(long long *high, long long a, long long b, long long add)
{
    asm volatile("mad.lo.cc.s64 %0, %1, %2, %3;" : "=l"(high[0]) : "l"(a), "l"(b), "l"(add));
    asm volatile("madc.hi.s64 %0, %1, %2, %3;" : "=l"(high[1]) : "l"(a), "l"(b), "l"(add >> 63));
}

struct Results {
    word sum[4], difference[4], borrowed, product[3];
    long long high[2];
    unsigned halves[8], carry;
};

__global__ void compute(Results *results, const word *a, const word *b)
{
    const int at = threadIdx.x + blockDim.x * threadIdx.y + blockDim.x * blockDim.y * blockIdx.x;
    Results &own = results[at];
    a += 4 * at, b += 4 * at;
    ADD_OUT(own.sum[0], a[0], b[0])
    ADD_ON(own.sum[1], a[1], b[1])
    ADD_ON(own.sum[2], a[2], b[2])
    ADD_IN(own.sum[3], a[3], b[3])
    own.difference[0] = subtract_out(a[0], b[0]);
    for (int i = 1; i < 4; i++)
        own.difference[i] = subtract_on(a[i], b[i]);
    own.borrowed = borrow();
    multiply(own.product, a, b[0]);
    multiply_signed(own.high, a[2], b[1], b[2]);
    unsigned other[8];
    for (int i = 0; i < 4; i++) {
        own.halves[2 * i] = a[i], own.halves[2 * i + 1] = a[i] >> 32;
        other[2 * i] = b[i], other[2 * i + 1] = b[i] >> 32;
    }
    own.carry = add_halves(own.halves, other, 8);
}

static Results expected(const word *a, const word *b)
{
    typedef unsigned __int128 wide;
    Results own;
    wide carry = 0, less = 0;
    for (int i = 0; i < 4; i++) {
        carry += (wide)a[i] + b[i];
        own.sum[i] = (word)carry;
        own.halves[2 * i] = (unsigned)carry, own.halves[2 * i + 1] = (unsigned)(carry >> 32);
        carry >>= 64;
        const wide difference = (wide)a[i] - b[i] - less;
        own.difference[i] = (word)difference;
        less = difference >> 64 != 0;
    }
    own.carry = (unsigned)carry;
    own.borrowed = 0 - (word)less;
    const wide low = (wide)a[0] * b[0], high = (wide)a[1] * b[0] + (word)(low >> 64);
    own.product[0] = (word)low, own.product[1] = (word)high, own.product[2] = (word)(high >> 64);
    const __int128 of_signed = (__int128)(long long)a[2] * (long long)b[1] + (long long)b[2];
    own.high[0] = (long long)of_signed, own.high[1] = (long long)(of_signed >> 64);
    return own;
}

int main()
{
    const int threads = 2 * 128;
    word a[4 * threads], b[4 * threads], seed = 1;
    for (int i = 0; i < 4 * threads; i++) {
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        // A third of the words hand every carry on.
        a[i] = i % 3 ? seed : ~0ull;
        b[i] = i % 5 ? seed >> 3 ^ seed << 40 : i % 2;
    }
    word *on_a, *on_b;
    Results *on_results, *results = new Results[threads];
    cudaMalloc(&on_a, sizeof(a));
    cudaMalloc(&on_b, sizeof(b));
    cudaMalloc(&on_results, threads * sizeof(Results));
    cudaMemcpy(on_a, a, sizeof(a), cudaMemcpyHostToDevice);
    cudaMemcpy(on_b, b, sizeof(b), cudaMemcpyHostToDevice);
    compute<<<2, dim3(32, 4)>>>(on_results, on_a, on_b);
    cudaMemcpy(results, on_results, threads * sizeof(Results), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < threads; i++) {
        const Results own = expected(a + 4 * i, b + 4 * i), &found = results[i];
        wrong += memcmp(own.sum, found.sum, sizeof(own.sum)) != 0;
        wrong += memcmp(own.difference, found.difference, sizeof(own.difference)) != 0;
        wrong += own.borrowed != found.borrowed;
        wrong += memcmp(own.product, found.product, sizeof(own.product)) != 0;
        wrong += memcmp(own.halves, found.halves, sizeof(own.halves)) != 0;
        wrong += own.carry != found.carry;
        wrong += memcmp(own.high, found.high, sizeof(own.high)) != 0;
    }
    printf(wrong ? "FAIL %d\n" : "PASS\n", wrong);
    cudaFree(on_a), cudaFree(on_b), cudaFree(on_results);
    delete[] results;
    return wrong != 0;
}
