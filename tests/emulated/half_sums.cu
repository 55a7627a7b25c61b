// Inline PTX: halves and bfloat16 numbers that many threads add to, and shuffles whose last lane is known as they run.
#include <cstdio>
#include <cuda_runtime.h>

// Each thread adds 1 and 2 to a pair of each kind, and 1 to the second of two single ones.
__global__ void sums(unsigned *pairs, unsigned short *singles)
{
    unsigned seen;
    asm volatile("{ atom.add.noftz.f16x2 %0, [%1], %2; }" : "=r"(seen) : "l"(pairs), "r"(0x40003c00u) : "memory");
    asm volatile("red.global.add.noftz.bf16x2 [%0], %1;" ::"l"(pairs + 1), "r"(0x40003f80u) : "memory");
    asm volatile("red.relaxed.gpu.global.add.noftz.f16 [%0], %1;" ::"l"(singles + 1), "h"((unsigned short)0x3c00) : "memory");
    asm volatile("red.global.add.noftz.bf16 [%0], %1;" ::"l"(singles + 3), "h"((unsigned short)0x3f80) : "memory");
}

// As CUB reduces the part of a warp that has values: the last lane comes out of their number.
__global__ void partial(const int *from, int *to, int count)
{
    int lane = threadIdx.x % 32, last = count - 1, value = from[threadIdx.x];
    for (int step = 1; step < 32; step *= 2)
        asm volatile("{ .reg .s32 r0; .reg .pred p; shfl.sync.down.b32 r0|p, %1, %2, %3, %4; @p add.s32 r0, r0, %1; mov.s32 %0, r0; }"
                     : "=r"(value) : "r"(value), "r"(step), "r"(last), "r"(0xffffffff));
    if (lane == 0) to[threadIdx.x / 32] = value;
}

int main()
{
    // 2048 ones are the last number of halves that counts each; of bfloat16 it is 256.
    unsigned pairs[2] = {0, 0}, *of_pairs;
    unsigned short singles[4] = {7, 0, 9, 0}, *of_singles;
    cudaMalloc(&of_pairs, sizeof(pairs));
    cudaMalloc(&of_singles, sizeof(singles));
    cudaMemcpy(of_pairs, pairs, sizeof(pairs), cudaMemcpyHostToDevice);
    cudaMemcpy(of_singles, singles, sizeof(singles), cudaMemcpyHostToDevice);
    sums<<<2, 64>>>(of_pairs, of_singles);
    cudaMemcpy(pairs, of_pairs, sizeof(pairs), cudaMemcpyDeviceToHost);
    cudaMemcpy(singles, of_singles, sizeof(singles), cudaMemcpyDeviceToHost);
    // 128 and 256.
    int wrong = pairs[0] != 0x5c005800u || pairs[1] != 0x43804300u;
    wrong += singles[0] != 7 || singles[1] != 0x5800 || singles[2] != 9 || singles[3] != 0x4300;

    int values[128], found[4], *from, *to;
    cudaMalloc(&from, sizeof(values));
    cudaMalloc(&to, sizeof(found));
    for (int i = 0; i < 128; ++i) values[i] = i * i + 1;
    cudaMemcpy(from, values, sizeof(values), cudaMemcpyHostToDevice);
    for (int count : {1, 2, 5, 16, 31, 32}) {
        partial<<<1, 128>>>(from, to, count);
        cudaMemcpy(found, to, sizeof(found), cudaMemcpyDeviceToHost);
        for (int warp = 0; warp < 4; ++warp) {
            // Lane by lane what a tree of sums with that last lane gives.
            int lanes[32];
            for (int k = 0; k < 32; ++k) lanes[k] = values[warp * 32 + k];
            for (int step = 1; step < 32; step *= 2) {
                int next[32];
                for (int k = 0; k < 32; ++k) next[k] = k + step <= count - 1 ? lanes[k] + lanes[k + step] : lanes[k];
                for (int k = 0; k < 32; ++k) lanes[k] = next[k];
            }
            wrong += found[warp] != lanes[0];
        }
    }
    std::printf(wrong ? "FAILED: %d\n" : "ok\n", wrong);
    return wrong != 0;
}
