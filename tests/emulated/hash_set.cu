// A set of numbers in shared memory, one for each warp: lanes ask for free places together, votes and counts of lanes give them out.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int places = 64, warps = 4;

__device__ inline int rank_of(unsigned lanes)
{
    unsigned lower;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lower));
    return __popc(lanes & lower);
}

// Puts the keys of 32 lanes into the warp's table and gives how many were new.
__device__ int insert(volatile int* table, int key, bool valid)
{
    int fresh = 0, at = key * 7 % places;
    bool pending = valid;
    while (__any_sync(0xffffffffu, pending)) {
        bool won = false;
        if (pending) {
            int old = atomicCAS(const_cast<int*>(&table[at]), -1, key);
            won = old == -1;
            pending = !won && old != key;
            at = (at + 1) % places;
        }
        fresh += __popc(__ballot_sync(0xffffffffu, won));
    }
    return fresh;
}

__global__ void collect(const int* keys, int each, int* sizes, int* packed)
{
    __shared__ int tables[warps][places];
    int warp = threadIdx.x / 32, lane = threadIdx.x & 31, size = 0, written = 0;
    for (int k = lane; k < places; k += 32)
        tables[warp][k] = -1;
    __syncwarp();
    for (int k = lane; k - lane < each; k += 32)
        size += insert(tables[warp], k < each ? keys[warp * each + k] : 0, k < each);
    __syncwarp();
    for (int k = lane; k < places; k += 32) {
        int key = tables[warp][k];
        unsigned full = __ballot_sync(0xffffffffu, key != -1);
        if (key != -1)
            packed[warp * places + written + rank_of(full)] = key;
        written += __popc(full);
    }
    if (lane == 0)
        sizes[warp] = size == written ? size : -size;
}

int main()
{
    const int each = 75;
    int keys[warps * each], sizes[warps], packed[warps * places], *device, *counts, *out, wrong = 0;
    for (int k = 0; k < warps * each; ++k)
        keys[k] = k * 131 % (9 + 11 * (k / each));
    cudaMalloc(&device, sizeof(keys));
    cudaMalloc(&counts, sizeof(sizes));
    cudaMalloc(&out, sizeof(packed));
    cudaMemcpy(device, keys, sizeof(keys), cudaMemcpyHostToDevice);
    cudaMemset(out, 0xff, sizeof(packed));
    collect<<<1, 32 * warps>>>(device, each, counts, out);
    cudaMemcpy(sizes, counts, sizeof(sizes), cudaMemcpyDeviceToHost);
    cudaMemcpy(packed, out, sizeof(packed), cudaMemcpyDeviceToHost);
    for (int w = 0; w < warps; ++w) {
        bool is_there[128] = {}, is_found[128] = {};
        int distinct = 0;
        for (int k = 0; k < each; ++k) {
            distinct += !is_there[keys[w * each + k]];
            is_there[keys[w * each + k]] = true;
        }
        for (int k = 0; k < distinct; ++k)
            is_found[packed[w * places + k] & 127] = true;
        wrong += sizes[w] != distinct;
        for (int key = 0; key < 128; ++key)
            wrong += is_there[key] != is_found[key];
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
