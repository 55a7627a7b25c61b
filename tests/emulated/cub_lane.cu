// Warps as CUB counts them: their number, the caller's lane, its neighbours, votes, and a reduction of the default width.
#include <cstdio>
#include <cub/cub.cuh>
#include <cuda_runtime.h>

constexpr int threads = 128, per_thread = 6;

__global__ void describe(const int* values, int* results)
{
    typedef cub::WarpReduce<int> Reduce;
    typedef cub::WarpScan<int> Scan;
    __shared__ typename Reduce::TempStorage sums[threads / CUB_PTX_WARP_THREADS];
    __shared__ typename Scan::TempStorage scans[threads / CUB_PTX_WARP_THREADS];
    int thread = threadIdx.x, warp = thread / CUB_PTX_WARP_THREADS, value = values[thread], before;
    int sum = Reduce(sums[warp]).Sum(value);
    Scan(scans[warp]).ExclusiveSum(value, before);
    int* mine = results + thread * per_thread;
    mine[0] = cub::WarpId() * CUB_PTX_WARP_THREADS + cub::LaneId();
    mine[1] = __popc(cub::LaneMaskLt());
    mine[2] = cub::WARP_ALL(value > 32, 0xffffffffu);
    mine[3] = cub::LaneId() == 0 ? sum : 0;
    mine[4] = before;
    mine[5] = cub::ShuffleDown<CUB_PTX_WARP_THREADS>(value, 1, CUB_PTX_WARP_THREADS - 1, 0xffffffffu);
}

int main()
{
    int values[threads], results[threads * per_thread], *device, *out, wrong = 0;
    for (int t = 0; t < threads; ++t)
        values[t] = t;
    cudaMalloc(&device, sizeof(values));
    cudaMalloc(&out, sizeof(results));
    cudaMemcpy(device, values, sizeof(values), cudaMemcpyHostToDevice);
    describe<<<1, threads>>>(device, out);
    cudaMemcpy(results, out, sizeof(results), cudaMemcpyDeviceToHost);
    for (int t = 0; t < threads; ++t) {
        int lane = t % 32, first = t - lane, before = 0, sum = 0;
        for (int u = first; u < first + 32; ++u) {
            sum += u;
            before += u < t ? u : 0;
        }
        int expected[per_thread] = {t, lane, first > 32, lane == 0 ? sum : 0, before, lane == 31 ? t : t + 1};
        for (int k = 0; k < per_thread; ++k)
            if (results[t * per_thread + k] != expected[k] && wrong++ < 8)
                printf("thread %d, result %d: %d, expected %d\n", t, k, results[t * per_thread + k], expected[k]);
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
