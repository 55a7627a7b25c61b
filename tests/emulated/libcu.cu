// Atomic objects and references of libcu++, traits and objects of operators: sums, minima, a lock-free maximum of pairs, and blocks that
// wait for each other in order.
#include <cstdio>
#include <cuda/atomic>
#include <cuda/std/functional>
#include <cuda/std/type_traits>

struct Best {
    float value;
    int index;
};

constexpr int blocks = 4, threads = 64, total = blocks * threads;

template <typename T>
__device__ void added(T* sum, T value)
{
    static_assert(!cuda::std::is_pointer<T>::value && cuda::std::is_same_v<T, cuda::std::decay_t<T>>, "");
    cuda::atomic_ref<T, cuda::thread_scope_device> here(*sum);
    here.fetch_add(cuda::std::plus<T>()(value, 1), cuda::memory_order_relaxed);
}

__global__ void work(const float* x, int* sums, float* real, cuda::atomic<Best, cuda::thread_scope_device>* best,
                     cuda::atomic<unsigned, cuda::thread_scope_device>* turn, int* order, unsigned* words)
{
    const int i = blockIdx.x * threads + threadIdx.x;
    added(sums, i);
    added(real, 0.5f);
    cuda::atomic_ref<int, cuda::thread_scope_block>(sums[1]).fetch_max(i);
    cuda::std::atomic<int>* bits = reinterpret_cast<cuda::std::atomic<int>*>(sums + 2);
    *bits |= 1 << (i % 31);
    cuda::atomic_ref<unsigned> word(words[i % 3]);
    word++;

    Best known = best->load(cuda::std::memory_order_relaxed);
    while (known.value < x[i] && !best->compare_exchange_weak(known, Best{x[i], i}, cuda::memory_order_acq_rel)) {}

    __syncthreads();
    if (threadIdx.x == 0) {
        while (turn->load(cuda::memory_order_acquire) != blockIdx.x) {}
        order[0] = order[0] * 10 + blockIdx.x + 1;
        cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
        turn->store(blockIdx.x + 1, cuda::memory_order_release);
    }
}

int main()
{
    static_assert(sizeof(cuda::atomic<Best, cuda::thread_scope_device>) == sizeof(Best), "");
    char* memory;
    cudaMallocManaged(&memory, 4096);
    float* x = reinterpret_cast<float*>(memory);
    int *sums = reinterpret_cast<int*>(memory + 2048), *order = sums + 8;
    float* real = reinterpret_cast<float*>(sums + 9);
    auto best = reinterpret_cast<cuda::atomic<Best, cuda::thread_scope_device>*>(sums + 10);
    auto turn = reinterpret_cast<cuda::atomic<unsigned, cuda::thread_scope_device>*>(sums + 12);
    auto words = reinterpret_cast<unsigned*>(sums + 13);
    for (int i = 0; i < total; ++i)
        x[i] = static_cast<float>(i * 37 % 101 + (i == 77));
    for (int i = 0; i < 16; ++i)
        sums[i] = 0;
    best->store(Best{-1, -1});
    work<<<blocks, threads>>>(x, sums, real, best, turn, order, words);
    cudaDeviceSynchronize();

    float largest = -1;
    for (int i = 0; i < total; ++i)
        largest = x[i] > largest ? x[i] : largest;
    Best found = best->load();
    cuda::atomic<int> here{5};
    const bool host = ++here == 6 && here.fetch_sub(2) == 6 && here.exchange(9) == 4 && (here ^= 1) == 8;
    const bool right = sums[0] == total * (total - 1) / 2 + total && sums[1] == total - 1 && sums[2] == 0x7fffffff && *real == 1.5f * total &&
                       found.value == largest && x[found.index] == largest && *order == 1234 && words[0] == 86 && words[1] + words[2] == 170 && host;
    printf("%d %d %x %g %g %d %d %d\n", sums[0], sums[1], sums[2], *real, found.value, *order, words[0], host);
    return right ? 0 : 1;
}
