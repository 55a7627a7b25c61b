// The helpers of tests/compat/cases.inc on the chip itself: each is held to the digest that CUDA's own function gave on an NVIDIA GPU.
#include <cstdio>
#include <cstring>
#include <cstdlib>
#include <vector>
#include "cass_hip_compat.hpp"
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include "inputs.hpp"
#include "cases.hpp"
#include "cases_of_ours.hpp"

struct Golden { const char* function; uint64_t results; };
static const Golden golden[] = {
#define GOLDEN(label, digest) {#label, digest},
#include "golden.inc"
};

#define OPERANDS_1(a, b, c) (a)
#define OPERANDS_2(a, b, c) (a, b)
#define OPERANDS_3(a, b, c) (a, b, c)

template <typename T, typename F> __global__ void evaluate(const T* operands, uint64_t* results, F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < input_count)
        results[i] = result_bits(f(operands[3 * i], operands[3 * i + 1], operands[3 * i + 2]));
}

#define HIP(call) do { hipError_t e = call; if (e != hipSuccess) { printf("%s: %s\n", #call, hipGetErrorString(e)); exit(2); } } while (0)

static void* operands;
static uint64_t* results;

template <typename T, typename F> uint64_t digest(uint64_t seed, F f)
{
    Inputs inputs(seed);
    std::vector<char> bytes(3 * sizeof(T) * input_count);
    T* values = reinterpret_cast<T*>(bytes.data());
    for (int i = 0; i < 3 * input_count; ++i)
        values[i] = inputs.next<T>();
    HIP(hipMemcpy(operands, values, bytes.size(), hipMemcpyHostToDevice));
    evaluate<T><<<(input_count + 255) / 256, 256>>>(static_cast<T*>(operands), results, f);
    HIP(hipGetLastError());
    std::vector<uint64_t> found(input_count);
    HIP(hipMemcpy(found.data(), results, input_count * sizeof(uint64_t), hipMemcpyDeviceToHost));
    Digest all;
    for (uint64_t bits : found)
        all.add(bits);
    return all.value;
}

int main()
{
    HIP(hipMalloc(&operands, 3 * sizeof(double) * input_count));
    HIP(hipMalloc(reinterpret_cast<void**>(&results), input_count * sizeof(uint64_t)));
    uint64_t row = 0;
    int failures = 0;
#define CASE(label, name, T, n)                                                                                                  \
    {                                                                                                                            \
        uint64_t found = digest<T>(row + 1, [] __device__(T a, T b, T c) { (void)b, (void)c; return cass_##name OPERANDS_##n(a, b, c); }); \
        if (strcmp(golden[row].function, #label) != 0)                                                                           \
            return printf("row %d is %s\n", int(row), golden[row].function), 3;                                                  \
        if (golden[row++].results != found && ++failures)                                                                        \
            printf("%s: other results than CUDA\n", #label);                                                                     \
    }
#include "cases.inc"
    // A digest must notice one changed bit, or the comparison above says nothing.
    uint64_t off = digest<uint32_t>(1, [] __device__(uint32_t a, uint32_t, uint32_t) { return cass_vabs2(a) ^ (a % 64 == 0); });
    failures += off == golden[0].results;
    printf("%d functions, %d failures\n", int(row), failures);
    return failures != 0;
}
