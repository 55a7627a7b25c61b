// Four-bit weights by a table of 16 values that the lanes hold, read by shuffles, and a dot product of a row by one warp.
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

__constant__ float levels[16] = {-1.0f, -0.7f, -0.5f, -0.4f, -0.3f, -0.2f, -0.1f, 0.0f, 0.1f, 0.2f, 0.25f, 0.3f, 0.4f, 0.6f, 0.7f, 1.0f};

template <int lanes> __global__ void multiply(const unsigned char* weights, const float* input, float* output, int rows, int columns)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / lanes, lane = threadIdx.x % lanes;
    float level = levels[lane % 16], sum = 0;
    for (int k = lane; k < columns / 2; k += lanes) {
        unsigned char pair = weights[min(row, rows - 1) * columns / 2 + k];
        float low = __shfl_sync(0xffffffffu, level, pair & 15), high = __shfl_sync(0xffffffffu, level, pair >> 4, 16);
        sum += low * input[2 * k] + high * input[2 * k + 1];
    }
    for (int distance = lanes / 2; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if (lane == 0 && row < rows)
        output[row] = sum;
}

int main()
{
    const int rows = 10, columns = 256;
    const float known[16] = {-1.0f, -0.7f, -0.5f, -0.4f, -0.3f, -0.2f, -0.1f, 0.0f, 0.1f, 0.2f, 0.25f, 0.3f, 0.4f, 0.6f, 0.7f, 1.0f};
    unsigned char weights[rows * columns / 2], *w;
    float input[columns], output[rows], *x, *y;
    for (int k = 0; k < rows * columns / 2; ++k)
        weights[k] = k * 73 % 251;
    for (int k = 0; k < columns; ++k)
        input[k] = k % 5 - 2;
    cudaMalloc(&w, sizeof(weights));
    cudaMalloc(&x, sizeof(input));
    cudaMalloc(&y, sizeof(output));
    cudaMemcpy(w, weights, sizeof(weights), cudaMemcpyHostToDevice);
    cudaMemcpy(x, input, sizeof(input), cudaMemcpyHostToDevice);
    multiply<32><<<3, 128>>>(w, x, y, rows, columns);
    cudaMemcpy(output, y, sizeof(output), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int r = 0; r < rows; ++r) {
        float expected = 0;
        for (int k = 0; k < columns / 2; ++k) {
            int pair = weights[r * columns / 2 + k];
            expected += known[pair & 15] * input[2 * k] + known[pair >> 4] * input[2 * k + 1];
        }
        wrong += std::fabs(expected - output[r]) > 1e-3f;
    }
    printf("%d of %d wrong\n", wrong, rows);
    return wrong != 0;
}
