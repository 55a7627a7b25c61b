//! Matrix instructions through clang's builtins, against sums written out. The places of elements in registers are those that AMD
//! publishes, written here a second time in the kernels.

mod common;

use common::{Card, clang, compile};
use hip_emulator::device::Options;

/// Small whole numbers, so that every order of sums is exact.
fn sample(n: usize, seed: u32) -> Vec<f32> {
    (0..n as u32)
        .map(|i| ((i.wrapping_mul(2_654_435_761).wrapping_add(seed) >> 20) % 9) as f32 - 4.0)
        .collect()
}

/// `a` (m × k) times `b` (k × n), row by row.
fn product(a: &[f32], b: &[f32], m: usize, n: usize, k: usize) -> Vec<f32> {
    (0..m * n)
        .map(|at| (0..k).map(|x| a[at / n * k + x] * b[x * n + at % n]).sum())
        .collect()
}

fn check(chip: &str, source: &str, m: usize, n: usize, k: usize) {
    let clang = clang();
    let image = compile(&clang, chip, source, &[]);
    let card = Card::new(chip, Options::default());
    let object = card.load(&image);
    let (a, b) = (sample(m * k, 1), sample(k * n, 7));
    let (x, y, out) = (
        card.buffer(&a),
        card.buffer(&b),
        card.buffer(&vec![0f32; m * n]),
    );
    let lanes = if chip.starts_with("gfx9") { 64 } else { 32 };
    card.run(
        &object,
        1,
        lanes,
        &[x.address(), y.address(), out.address()],
    )
    .expect("it runs");
    assert_eq!(out.read(), product(&a, &b, m, n, k), "{chip}");
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn single_precision_of_16_by_16() {
    let source = r#"
        typedef float f4 __attribute__((ext_vector_type(4)));
        extern "C" __global__ void k(const float *a, const float *b, float *d) {
            f4 c = {0, 0, 0, 0};
            c = __builtin_amdgcn_mfma_f32_16x16x4f32(a[tid % 16 * 4 + tid / 16], b[tid / 16 * 16 + tid % 16], c, 0, 0, 0);
            for (int r = 0; r < 4; r++) d[(4 * (tid / 16) + r) * 16 + tid % 16] = c[r];
        }"#;
    check("gfx90a", source, 16, 16, 4);
    check("gfx942", source, 16, 16, 4);
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn halves_of_32_by_32() {
    let source = r#"
        typedef f16 h4 __attribute__((ext_vector_type(4)));
        typedef float f16v __attribute__((ext_vector_type(16)));
        extern "C" __global__ void k(const float *a, const float *b, float *d) {
            h4 x, y;
            for (int e = 0; e < 4; e++) {
                x[e] = (f16)a[tid % 32 * 8 + 4 * (tid / 32) + e];
                y[e] = (f16)b[(4 * (tid / 32) + e) * 32 + tid % 32];
            }
            f16v c = 0;
            c = __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, c, 0, 0, 0);
            for (int r = 0; r < 16; r++) d[(8 * (r / 4) + 4 * (tid / 32) + r % 4) * 32 + tid % 32] = c[r];
        }"#;
    check("gfx90a", source, 32, 32, 8);
    check("gfx942", source, 32, 32, 8);
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn double_precision_of_16_by_16() {
    let source = r#"
        typedef double d4 __attribute__((ext_vector_type(4)));
        extern "C" __global__ void k(const float *a, const float *b, float *d) {
            d4 c = {0, 0, 0, 0};
            c = __builtin_amdgcn_mfma_f64_16x16x4f64(a[tid % 16 * 4 + tid / 16], b[tid / 16 * 16 + tid % 16], c, 0, 0, 0);
            for (int r = 0; r < 4; r++) d[(4 * r + tid / 16) * 16 + tid % 16] = (float)c[r];
        }"#;
    check("gfx90a", source, 16, 16, 4);
    check("gfx942", source, 16, 16, 4);
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn bytes_of_16_by_16_on_gfx942() {
    let source = r#"
        typedef int i4 __attribute__((ext_vector_type(4)));
        extern "C" __global__ void k(const float *a, const float *b, float *d) {
            u64 x = 0, y = 0;
            for (int e = 0; e < 8; e++) {
                x |= (u64)(unsigned char)(signed char)a[tid % 16 * 32 + 8 * (tid / 16) + e] << (8 * e);
                y |= (u64)(unsigned char)(signed char)b[(8 * (tid / 16) + e) * 16 + tid % 16] << (8 * e);
            }
            i4 c = {0, 0, 0, 0};
            c = __builtin_amdgcn_mfma_i32_16x16x32_i8(x, y, c, 0, 0, 0);
            for (int r = 0; r < 4; r++) d[(4 * (tid / 16) + r) * 16 + tid % 16] = (float)c[r];
        }"#;
    check("gfx942", source, 16, 16, 32);
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn halves_of_16_by_16_on_gfx1100() {
    let source = r#"
        typedef f16 h16 __attribute__((ext_vector_type(16)));
        typedef float f8 __attribute__((ext_vector_type(8)));
        extern "C" __global__ void k(const float *a, const float *b, float *d) {
            h16 x, y;
            for (int e = 0; e < 16; e++) {
                x[e] = (f16)a[tid % 16 * 16 + e];
                y[e] = (f16)b[e * 16 + tid % 16];
            }
            f8 c = 0;
            c = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(x, y, c);
            for (int r = 0; r < 8; r++) d[(2 * r + tid / 16) * 16 + tid % 16] = c[r];
        }"#;
    check("gfx1100", source, 16, 16, 16);
}
