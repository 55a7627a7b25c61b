// Modules of PTX in strings, loaded by the driver's functions.
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

static const char *const raw = R"(
.version 7.0
.target sm_70
.address_size 64

.visible .entry sums(.param .u64 to, .param .u64 from, .param .u32 count)
{
    .reg .pred %p<3>;
    .reg .b32 %r<12>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [to];
    ld.param.u64 %rd2, [from];
    ld.param.u32 %r1, [count];
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %ctaid.x;
    mad.lo.s32 %r5, %r4, %r3, %r2;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra done;
    mul.wide.u32 %rd3, %r5, 4;
    add.s64 %rd4, %rd2, %rd3;
    add.s64 %rd5, %rd1, %rd3;
    ld.global.u32 %r6, [%rd4];
    // The sum with the neighbour in a pair, of 32 lanes on either width.
    shfl.sync.bfly.b32 %r7|%p2, %r6, 1, 31, -1;
    add.u32 %r8, %r6, %r7;
    st.global.u32 [%rd5], %r8;
done:
    ret;
}
)";

static const char lines[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                            ".visible .entry twice(.param .u64 values)\n"
                            "{\n .reg .b32 %r<3>;\n .reg .b64 %rd<4>;\n"
                            " ld.param.u64 %rd1, [values];\n mov.u32 %r1, %tid.x;\n mul.wide.u32 %rd2, %r1, 4;\n add.s64 %rd3, %rd1, %rd2;\n"
                            " ld.global.u32 %r2, [%rd3];\n shl.b32 %r2, %r2, 1;\n st.global.u32 [%rd3], %r2;\n ret;\n}\n";

#define CHECK(call) do { CUresult r = (call); if (r != CUDA_SUCCESS) { std::printf("%s: %d\n", #call, int(r)); return 1; } } while (0)

int main()
{
    const unsigned count = 128;
    unsigned values[count], *from, *to;
    for (unsigned i = 0; i < count; ++i)
        values[i] = i * i;
    cudaMalloc(&from, sizeof(values));
    cudaMalloc(&to, sizeof(values));
    cudaMemcpy(from, values, sizeof(values), cudaMemcpyHostToDevice);
    CUmodule first, second;
    CUfunction sums, twice;
    CHECK(cuModuleLoadData(&first, raw));
    CHECK(cuModuleLoadDataEx(&second, lines, 0, nullptr, nullptr));
    CHECK(cuModuleGetFunction(&sums, first, "sums"));
    CHECK(cuModuleGetFunction(&twice, second, "twice"));
    unsigned n = count;
    void *of_sums[] = {&to, &from, &n}, *of_twice[] = {&to};
    CHECK(cuLaunchKernel(sums, 2, 1, 1, 64, 1, 1, 0, nullptr, of_sums, nullptr));
    CHECK(cuLaunchKernel(twice, 1, 1, 1, count, 1, 1, 0, nullptr, of_twice, nullptr));
    unsigned found[count];
    cudaMemcpy(found, to, sizeof(found), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (unsigned i = 0; i < count; ++i)
        wrong += found[i] != 2 * (values[i] + values[i ^ 1]);
    std::printf(wrong ? "FAILED: %d\n" : "ok\n", wrong);
    return wrong != 0;
}
