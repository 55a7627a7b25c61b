// The smallest k of many values by one warp: each lane keeps a short queue, a vote says when to merge, shuffles sort what 32 lanes hold.
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>

constexpr unsigned all_lanes = 0xffffffffu;

// A bitonic sort of one value for each of 32 lanes, the smallest first.
__device__ int sorted(int value)
{
    int lane = threadIdx.x % 32;
    for (int size = 2; size <= 32; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            int other = __shfl_xor_sync(all_lanes, value, stride);
            bool ascends = (lane & size) == 0 || size == 32, lower = (lane & stride) == 0;
            value = ascends == lower ? min(value, other) : max(value, other);
        }
    return value;
}

// The 32 smallest of what the lanes have had and of what is new.
__device__ int merged(int best, int found)
{
    int reversed = __shfl_sync(all_lanes, sorted(found), 31 - threadIdx.x % 32);
    return sorted(min(best, reversed));
}

__global__ void smallest(const int* values, int count, int* results)
{
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, best = 0x7fffffff, queue = 0x7fffffff, merges = 0;
    // Warps have rows of different lengths and values: their votes fall differently.
    const int* row = values + warp * count;
    for (int k = lane; k < count; k += 32) {
        int limit = __shfl_sync(all_lanes, best, 31), value = row[k];
        if (value < limit)
            queue = min(queue, value);
        if (__any_sync(all_lanes, queue != 0x7fffffff)) {
            best = merged(best, queue);
            queue = 0x7fffffff;
            ++merges;
        }
    }
    results[threadIdx.x] = best;
    if (lane == 0)
        results[blockDim.x + warp] = merges;
}

int main()
{
    const int warps = 4, count = 256;
    static int values[warps * count];
    int results[warps * 32 + warps], *device, *out, wrong = 0;
    for (int w = 0; w < warps; ++w)
        for (int k = 0; k < count; ++k)
            // Rows fall, rise, or jump: one warp merges all the time while the next has nothing to do.
            values[w * count + k] = w == 0 ? count - k : w == 1 ? k : (k * 7919 + w * 31) % 1009;
    cudaMalloc(&device, sizeof(values));
    cudaMalloc(&out, sizeof(results));
    cudaMemcpy(device, values, sizeof(values), cudaMemcpyHostToDevice);
    smallest<<<1, warps * 32>>>(device, count, out);
    cudaMemcpy(results, out, sizeof(results), cudaMemcpyDeviceToHost);
    for (int w = 0; w < warps; ++w) {
        std::sort(values + w * count, values + (w + 1) * count);
        for (int k = 0; k < 32; ++k)
            if (results[w * 32 + k] != values[w * count + k] && wrong++ < 8)
                printf("warp %d, %d: %d, expected %d\n", w, k, results[w * 32 + k], values[w * count + k]);
    }
    wrong += results[warps * 32 + 1] != 1;
    printf("%d wrong; merges %d %d %d %d\n", wrong, results[128], results[129], results[130], results[131]);
    return wrong != 0;
}
