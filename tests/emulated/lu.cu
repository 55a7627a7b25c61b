// Forward substitution with 4x4 blocks, 16 lanes a block and two blocks a warp, by a wrapper that is given warpSize and a mask.
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

__device__ __forceinline__ int lane_of_warp()
{
    int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

template <typename T> __device__ __forceinline__ T exchange(T value, int lane, int bound = warpSize, unsigned mask = 0xffffffffu)
{
    return __shfl_sync(mask, value, lane, bound);
}

// y = (L D)^-1 x for a block of four unknowns; each group of 16 lanes has one block, each lane one of its elements.
__global__ void forward(const float* blocks, const float* right, float* solution, int count)
{
    int group = (blockIdx.x * blockDim.x + threadIdx.x) / 16, k = threadIdx.x % 16, row = k / 4, column = k % 4;
    int half = 16 * (lane_of_warp() / 16);
    // Groups behind the last repeat it, so that all lanes take part.
    int block = min(group, count - 1);
    float element = blocks[16 * block + k], value = right[4 * block + row];
    for (int step = 0; step < 4; ++step) {
        float pivot = exchange(element, half + 5 * step, warpSize);
        float solved = exchange(value, half + 4 * step, warpSize) / pivot;
        float factor = exchange(element, half + 4 * row + step, warpSize);
        value = row == step ? solved : row > step ? value - factor * solved : value;
    }
    if (column == 0 && group < count)
        solution[4 * group + row] = value;
}

int main()
{
    const int count = 22;
    float blocks[16 * count], right[4 * count], solution[4 * count], *device, *b, *x;
    for (int k = 0; k < 16 * count; ++k)
        blocks[k] = k % 16 % 5 == 0 ? 4 + k % 3 : 1 + (k * 37) % 11 / 8.0f;
    for (int k = 0; k < 4 * count; ++k)
        right[k] = (k * 13) % 17 - 8;
    cudaMalloc(&device, sizeof(blocks));
    cudaMalloc(&b, sizeof(right));
    cudaMalloc(&x, sizeof(solution));
    cudaMemcpy(device, blocks, sizeof(blocks), cudaMemcpyHostToDevice);
    cudaMemcpy(b, right, sizeof(right), cudaMemcpyHostToDevice);
    forward<<<3, 128>>>(device, b, x, count);
    cudaMemcpy(solution, x, sizeof(solution), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int g = 0; g < count; ++g) {
        float y[4];
        for (int row = 0; row < 4; ++row) {
            y[row] = right[4 * g + row];
            for (int step = 0; step < row; ++step)
                y[row] -= blocks[16 * g + 4 * row + step] * y[step];
            y[row] /= blocks[16 * g + 5 * row];
            wrong += std::fabs(y[row] - solution[4 * g + row]) > 1e-4f * (1 + std::fabs(y[row]));
        }
    }
    printf("%d of %d wrong\n", wrong, 4 * count);
    return wrong != 0;
}
