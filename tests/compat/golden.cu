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
#include "cases.hpp"
#ifdef CASS_HELPERS
#include CASS_HELPERS
#include "cases_of_ours.hpp"
#endif

// Instructions that CUDA C++ has no function for. Positions and lengths of bit fields are defined from 0 to 255 only.
#define PTX_WORD(x) static_cast<uint32_t>(x)
#define PTX(name, text, R, r, A, a, B, b, C, c)                                             \
    __device__ inline R __##name(A x, B y, C z)                                             \
    {                                                                                       \
        R result;                                                                           \
        asm(text " %0, %1, %2, %3;" : "=" r(result) : a(x), b(PTX_WORD(y)), c(PTX_WORD(z)));  \
        return result;                                                                      \
    }
#define PTX_1(name, text, R, r, A, a)                                                       \
    __device__ inline R __##name(A x)                                                       \
    {                                                                                       \
        R result;                                                                           \
        asm(text " %0, %1;" : "=" r(result) : a(x));                                        \
        return result;                                                                      \
    }
PTX(bfe_u32, "bfe.u32", uint32_t, "r", uint32_t, "r", uint32_t, "r", uint32_t, "r")
PTX(bfe_s32, "bfe.s32", int32_t, "r", int32_t, "r", uint32_t, "r", uint32_t, "r")
PTX(bfe_u64, "bfe.u64", unsigned long long, "l", unsigned long long, "l", uint8_t, "r", uint8_t, "r")
PTX(bfe_s64, "bfe.s64", long long, "l", long long, "l", uint8_t, "r", uint8_t, "r")
PTX_1(bfind_u32, "bfind.u32", uint32_t, "r", uint32_t, "r")
PTX_1(bfind_s32, "bfind.s32", uint32_t, "r", int32_t, "r")
PTX_1(bfind_u64, "bfind.u64", uint32_t, "r", unsigned long long, "l")
PTX_1(bfind_s64, "bfind.s64", uint32_t, "r", long long, "l")
PTX_1(bfind_shiftamt_u32, "bfind.shiftamt.u32", uint32_t, "r", uint32_t, "r")
PTX_1(bfind_shiftamt_s32, "bfind.shiftamt.s32", uint32_t, "r", int32_t, "r")
PTX_1(bfind_shiftamt_u64, "bfind.shiftamt.u64", uint32_t, "r", unsigned long long, "l")
PTX_1(bfind_shiftamt_s64, "bfind.shiftamt.s64", uint32_t, "r", long long, "l")
PTX(shf_l_wrap, "shf.l.wrap.b32", uint32_t, "r", uint32_t, "r", uint32_t, "r", uint32_t, "r")
PTX(shf_l_clamp, "shf.l.clamp.b32", uint32_t, "r", uint32_t, "r", uint32_t, "r", uint32_t, "r")
PTX(shf_r_wrap, "shf.r.wrap.b32", uint32_t, "r", uint32_t, "r", uint32_t, "r", uint32_t, "r")
PTX(shf_r_clamp, "shf.r.clamp.b32", uint32_t, "r", uint32_t, "r", uint32_t, "r", uint32_t, "r")
PTX(prmt, "prmt.b32", uint32_t, "r", uint32_t, "r", uint32_t, "r", uint32_t, "r")
PTX(prmt_f4e, "prmt.b32.f4e", uint32_t, "r", uint32_t, "r", uint32_t, "r", uint32_t, "r")
PTX(prmt_b4e, "prmt.b32.b4e", uint32_t, "r", uint32_t, "r", uint32_t, "r", uint32_t, "r")
PTX(prmt_rc8, "prmt.b32.rc8", uint32_t, "r", uint32_t, "r", uint32_t, "r", uint32_t, "r")
PTX(prmt_ecl, "prmt.b32.ecl", uint32_t, "r", uint32_t, "r", uint32_t, "r", uint32_t, "r")
PTX(prmt_ecr, "prmt.b32.ecr", uint32_t, "r", uint32_t, "r", uint32_t, "r", uint32_t, "r")
PTX(prmt_rc16, "prmt.b32.rc16", uint32_t, "r", uint32_t, "r", uint32_t, "r", uint32_t, "r")
PTX_1(cvt_rna_tf32_bits, "cvt.rna.tf32.f32", uint32_t, "r", float, "f")
__device__ inline uint32_t __cvt_rna_tf32(float x) { return x != x ? 0x7fffffffu : __cvt_rna_tf32_bits(x); }
__device__ inline uint32_t __bfi_three(uint32_t x, uint32_t y, uint32_t z)
{
    return bfi_of_three(x, y, z, [](uint32_t f, uint32_t into, unsigned position, unsigned length) {
        uint32_t result;
        asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(f), "r"(into), "r"(position), "r"(length));
        return result;
    });
}
__device__ inline unsigned long long __bfi_three_wide(unsigned long long x, unsigned long long y, unsigned long long z)
{
    return bfi_of_three(x, y, z, [](unsigned long long f, unsigned long long into, unsigned position, unsigned length) {
        unsigned long long result;
        asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(result) : "l"(f), "l"(into), "r"(position), "r"(length));
        return result;
    });
}
template <unsigned Table> struct NativeLogic {
    static __device__ uint32_t of(uint32_t a, uint32_t b, uint32_t c)
    {
        uint32_t result;
        asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(a), "r"(b), "r"(c), "n"(Table));
        return result;
    }
};
__device__ inline uint32_t __lop3_each(uint32_t a, uint32_t b, uint32_t c) { return lop3_of_each<NativeLogic>(a, b, c); }

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
