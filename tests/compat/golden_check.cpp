// helpers: cass_simd_abs_neg, cass_simd_absdiff, cass_simd_add, cass_simd_average, cass_simd_cmp2, cass_simd_cmp4, cass_simd_minmax, cass_simd_sad
// helpers: cass_simd_set2, cass_simd_set4, cass_simd_sub, cass_dpx_relu, cass_dpx_max3, cass_dpx_min3, cass_dpx_addmax, cass_dpx_addmin, cass_dp4a, cass_dp2a
// helpers: cass_fadd_directed, cass_fmul_directed, cass_fmaf_directed, cass_fdiv_directed, cass_fsqrt_directed, cass_dadd_directed, cass_dmul_directed
// helpers: cass_fma_directed, cass_ddiv_directed, cass_dsqrt_directed, cass_fadd_rn, cass_fsub_rn, cass_fmul_rn, cass_dadd_rn, cass_dsub_rn, cass_dmul_rn
// helpers: cass_fmaf_rn, cass_fdiv_rn, cass_ddiv_rn, cass_fsqrt_rn, cass_frcp_rn, cass_frsqrt_rn, cass_half_minmax, cass_half_masks, cass_hfma_relu
// helpers: cass_half_rn, cass_hcmadd, cass_double2half, cass_half2char, cass_float2bfloat16, cass_floats2bfloat162, cass_int2bfloat16, cass_bfloat162int
// helpers: cass_bfe, cass_bfi, cass_bfind, cass_lop3, cass_shf, cass_prmt, cass_cvt_rna_tf32
//
// Holds every helper of cases.inc, compiled for the CPU, to the digests that CUDA's own intrinsics gave on an NVIDIA GPU.
#include "host_shim.hpp"
#include "helpers.hpp"
#include "inputs.hpp"
#include "cases.hpp"
#include "cases_of_ours.hpp"

struct Golden { const char* function; uint64_t results; };
static const Golden golden[] = {
#define GOLDEN(label, digest) {#label, digest},
#include "golden.inc"
};

template <typename T, typename F> uint64_t digest(uint64_t seed, F f)
{
    Inputs inputs(seed);
    Digest found;
    for (int i = 0; i < input_count; ++i) {
        T a = inputs.next<T>();
        T b = inputs.next<T>();
        T c = inputs.next<T>();
        found.add(result_bits(f(a, b, c)));
    }
    return found.value;
}

#define OPERANDS_1(a, b, c) (a)
#define OPERANDS_2(a, b, c) (a, b)
#define OPERANDS_3(a, b, c) (a, b, c)

int main()
{
    uint64_t row = 0;
#define CASE(label, name, T, n)                                                                            \
    {                                                                                                      \
        uint64_t found = digest<T>(row + 1, [](T a, T b, T c) { (void)b, (void)c; return cass_##name OPERANDS_##n(a, b, c); }); \
        CHECK(strcmp(golden[row].function, #label) == 0);                                                     \
        if (golden[row++].results != found && ++failures)                                                   \
            fprintf(stderr, "%s: other results than CUDA\n", #label);                                      \
    }
#include "cases.inc"
    CHECK(row == sizeof(golden) / sizeof(golden[0]));
    // A digest must notice one changed bit, or the comparison above says nothing.
    uint64_t off = digest<uint32_t>(1, [](uint32_t a, uint32_t, uint32_t) { return cass_vabs2(a) ^ (a % 64 == 0); });
    CHECK(off != golden[0].results);
    return finish();
}
