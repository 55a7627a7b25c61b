// Sums over bands of unequal length, a warp for each.
#include <cstdio>
#include <cub/cub.cuh>
#define LANES 32

__global__ void sum_bands(const float* values, const int* starts, int bands, float* sums)
{
    typedef cub::WarpReduce<float> Reduce;
    __shared__ typename Reduce::TempStorage storage[4];
    int band = blockIdx.x * blockDim.y + threadIdx.y;
    if (band >= bands)
        return;
    float sum = 0;
    for (int k = starts[band] + threadIdx.x; k < starts[band + 1]; k += LANES)
        sum += values[k];
    sum = Reduce(storage[threadIdx.y]).Sum(sum);
    if (threadIdx.x == 0)
        sums[band] = sum;
}

int main()
{
    const int bands = 11, most = 700;
    float values[most], sums[bands], *device, *out;
    int starts[bands + 1] = {}, *from, wrong = 0;
    for (int k = 0; k < most; ++k)
        values[k] = k % 7;
    for (int b = 0; b < bands; ++b)
        starts[b + 1] = starts[b] + 9 * b + 5;
    cudaMalloc((void**)&device, sizeof(values));
    cudaMalloc((void**)&from, sizeof(starts));
    cudaMalloc((void**)&out, sizeof(sums));
    cudaMemcpy(device, values, sizeof(values), cudaMemcpyHostToDevice);
    cudaMemcpy(from, starts, sizeof(starts), cudaMemcpyHostToDevice);
    sum_bands<<<(bands + 3) / 4, dim3(LANES, 4)>>>(device, from, bands, out);
    cudaMemcpy(sums, out, sizeof(sums), cudaMemcpyDeviceToHost);
    for (int b = 0; b < bands; ++b) {
        float expected = 0;
        for (int k = starts[b]; k < starts[b + 1]; ++k)
            expected += values[k];
        wrong += sums[b] != expected;
    }
    printf("%d of %d wrong\n", wrong, bands);
    return wrong != 0;
}
