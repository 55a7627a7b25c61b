// Records what CUDA's own intrinsics answer on an NVIDIA GPU: one digest for each line of cases.inc, written to golden.inc.
// Build and run where there is such a GPU: nvcc -std=c++17 -arch=sm_90 golden.cu -o golden && ./golden > golden.inc
// The tests then hold our helpers, compiled for the CPU, to these digests. It also compares in place, on the GPU.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>
using __hip_bfloat16 = __nv_bfloat16;
using __hip_bfloat162 = __nv_bfloat162;
#include "inputs.hpp"
#ifdef CASS_HELPERS
#include CASS_HELPERS
#endif

template <typename F, typename T>
__global__ void apply(uint64_t* out, const T* a, const T* b, const T* c, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = F()(a[i], b[i], c[i]);
}

template <typename T> T* on_device(const std::vector<T>& values)
{
    T* p = nullptr;
    cudaMalloc(&p, sizeof(T) * values.size());
    cudaMemcpy(p, values.data(), sizeof(T) * values.size(), cudaMemcpyHostToDevice);
    return p;
}

template <typename T, typename F> std::vector<uint64_t> results(uint64_t seed)
{
    Inputs inputs(seed);
    std::vector<T> a, b, c;
    for (int i = 0; i < input_count; ++i) {
        a.push_back(inputs.next<T>());
        b.push_back(inputs.next<T>());
        c.push_back(inputs.next<T>());
    }
    T *da = on_device(a), *db = on_device(b), *dc = on_device(c);
    uint64_t* out = nullptr;
    cudaMalloc(&out, sizeof(*out) * input_count);
    apply<F><<<(input_count + 255) / 256, 256>>>(out, da, db, dc, input_count);
    std::vector<uint64_t> bits(input_count);
    cudaMemcpy(bits.data(), out, sizeof(*out) * input_count, cudaMemcpyDeviceToHost);
    if (cudaError_t error = cudaGetLastError()) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
    cudaFree(da), cudaFree(db), cudaFree(dc), cudaFree(out);
    return bits;
}

static uint64_t digest(const std::vector<uint64_t>& bits)
{
    Digest d;
    for (uint64_t b : bits)
        d.add(b);
    return d.value;
}

#define OPERANDS_1(a, b, c) (a)
#define OPERANDS_2(a, b, c) (a, b)
#define OPERANDS_3(a, b, c) (a, b, c)
#define CASE(label, name, T, n)                                                             \
    struct native_##label {                                                                 \
        __device__ uint64_t operator()(T a, T b, T c) const { return result_bits(__##name OPERANDS_##n(a, b, c)); } \
    };
#include "cases.inc"
#undef CASE
#ifdef CASS_HELPERS
#define CASE(label, name, T, n)                                                             \
    struct ours_##label {                                                                   \
        __device__ uint64_t operator()(T a, T b, T c) const { return result_bits(cass_##name OPERANDS_##n(a, b, c)); } \
    };
#include "cases.inc"
#undef CASE
#endif

int main()
{
    uint64_t seed = 0;
#ifdef CASS_HELPERS
#define CASE(label, name, T, n)                                                             \
    {                                                                                       \
        auto expected = results<T, native_##label>(++seed);                                 \
        auto found = results<T, ours_##label>(seed);                                        \
        printf("GOLDEN(%s, 0x%016llxull)\n", #label, (unsigned long long)digest(expected)); \
        int wrong = 0;                                                                      \
        for (int i = 0; i < input_count; ++i)                                               \
            if (expected[i] != found[i] && wrong++ < 3) {                                   \
                Inputs inputs(seed);                                                        \
                T v[3] = {};                                                                \
                for (int k = 0; k <= i; ++k)                                                \
                    v[0] = inputs.next<T>(), v[1] = inputs.next<T>(), v[2] = inputs.next<T>(); \
                fprintf(stderr, "%s %llx %llx %llx: CUDA %llx, ours %llx\n", #label, (unsigned long long)result_bits(v[0]), \
                        (unsigned long long)result_bits(v[1]), (unsigned long long)result_bits(v[2]),                       \
                        (unsigned long long)expected[i], (unsigned long long)found[i]);     \
            }                                                                               \
        if (wrong)                                                                          \
            fprintf(stderr, "%s: %d of %d differ\n", #label, wrong, input_count);           \
    }
#else
#define CASE(label, name, T, n) printf("GOLDEN(%s, 0x%016llxull)\n", #label, (unsigned long long)digest(results<T, native_##label>(++seed)));
#endif
#include "cases.inc"
    return 0;
}
