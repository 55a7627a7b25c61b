//! Instructions one by one against scalar references: edge values with each other, and random bits.

mod common;

use common::{CHIPS, Card, clang, compile};
use hip_emulator::device::Options;

const F32: [u32; 22] = [
    0,
    0x8000_0000,
    1,
    0x8000_0001,
    0x007f_ffff,
    0x0080_0000,
    0x0080_0001,
    0x3f80_0000,
    0xbf80_0000,
    0x3f80_0001,
    0x3f7f_ffff,
    0x4049_0fdb,
    0x3dcc_cccd,
    0x7e80_0000,
    0x7f00_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0x1f80_0000,
    0x5f80_0000,
];

const F64: [u64; 20] = [
    0,
    1 << 63,
    1,
    0x000f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x0010_0000_0000_0001,
    0x3ff0_0000_0000_0000,
    0xbff0_0000_0000_0000,
    0x3ff0_0000_0000_0001,
    0x3fef_ffff_ffff_ffff,
    0x4009_21fb_5444_2d18,
    0x7fd0_0000_0000_0000,
    0x7fe0_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0x0340_0000_0000_0000,
    0x7cb0_0000_0000_0000,
    0x0003_0000_0000_0000,
];

/// Random bits (SplitMix64).
fn random(count: usize) -> Vec<u64> {
    let mut state = 42u64;
    (0..count)
        .map(|_| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ z >> 31
        })
        .collect()
}

/// All pairs and neighbours of edge values, then random ones.
fn inputs(edges: &[u64]) -> Vec<[u64; 3]> {
    let n = edges.len();
    let pairs = (0..n * n).map(|k| [edges[k / n], edges[k % n], edges[(k / n + k) % n]]);
    let bits = random(6000);
    pairs
        .chain(bits.chunks_exact(3).map(|c| [c[0], c[1], c[2]]))
        .collect()
}

/// Runs `body`, which computes `r` from `a`, `b` and `c`, for all inputs and compares with a reference.
fn check(
    name: &str,
    chips: &[&str],
    body: &str,
    inputs: &[[u64; 3]],
    reference: impl Fn(u64, u64, u64) -> u64,
    same: fn(u64, u64) -> bool,
) {
    let clang = clang();
    let source = format!(
        "extern \"C\" __global__ void k(const u64 *in, u64 *out, u64 n) {{ u64 i = bid * 64ul + tid; if (i >= n) return;\n\
         u64 a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2], r = 0;\n{body}\nout[i] = r; }}"
    );
    for chip in chips {
        let card = Card::new(chip, Options::default());
        let object = card.load(&compile(&clang, chip, &source, &[]));
        let flat: Vec<u64> = inputs.iter().flatten().copied().collect();
        let (x, y) = (card.buffer(&flat), card.buffer(&vec![0u64; inputs.len()]));
        let groups = inputs.len().div_ceil(64) as u32;
        card.run(
            &object,
            groups,
            64,
            &[x.address(), y.address(), inputs.len() as u64],
        )
        .unwrap_or_else(|fault| panic!("{name} on {chip}: {fault}"));
        for ([a, b, c], got) in inputs.iter().zip(y.read()) {
            let expected = reference(*a, *b, *c);
            assert!(
                same(got, expected),
                "{name} on {chip}: {a:#x}, {b:#x}, {c:#x} gives {got:#x}, not {expected:#x}"
            );
        }
    }
}

fn bits(a: u64, b: u64) -> bool {
    a == b
}

/// Equal, or NaN both.
fn float32(a: u64, b: u64) -> bool {
    let [x, y] = [a, b].map(|x| f32::from_bits(x as u32));
    a as u32 == b as u32 || (x.is_nan() && y.is_nan())
}

fn float64(a: u64, b: u64) -> bool {
    let [x, y] = [a, b].map(f64::from_bits);
    a == b || (x.is_nan() && y.is_nan())
}

fn edges32() -> Vec<u64> {
    F32.iter().map(|x| u64::from(*x)).collect()
}

fn f(x: u64) -> f32 {
    f32::from_bits(x as u32)
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn quotients_are_rounded_correctly_with_denormals() {
    let single = "float x = __builtin_bit_cast(float, (u32)a), y = __builtin_bit_cast(float, (u32)b); r = __builtin_bit_cast(u32, x / y);";
    check(
        "f32 quotient",
        &CHIPS,
        single,
        &inputs(&edges32()),
        |a, b, _| (f(a) / f(b)).to_bits().into(),
        float32,
    );
    let double = "r = __builtin_bit_cast(u64, __builtin_bit_cast(double, a) / __builtin_bit_cast(double, b));";
    let reference = |a, b, _| (f64::from_bits(a) / f64::from_bits(b)).to_bits();
    check(
        "f64 quotient",
        &CHIPS,
        double,
        &inputs(&F64),
        reference,
        float64,
    );
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn roots_are_rounded_correctly() {
    let single = "r = __builtin_bit_cast(u32, __builtin_sqrtf(__builtin_bit_cast(float, (u32)a)));";
    check(
        "f32 root",
        &CHIPS,
        single,
        &inputs(&edges32()),
        |a, _, _| f(a).sqrt().to_bits().into(),
        float32,
    );
    let double = "r = __builtin_bit_cast(u64, __builtin_sqrt(__builtin_bit_cast(double, a)));";
    check(
        "f64 root",
        &CHIPS,
        double,
        &inputs(&F64),
        |a, _, _| f64::from_bits(a).sqrt().to_bits(),
        float64,
    );
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn fused_sums_round_once() {
    let single = "r = __builtin_bit_cast(u32, __builtin_fmaf(__builtin_bit_cast(float, (u32)a), __builtin_bit_cast(float, (u32)b), \
                  __builtin_bit_cast(float, (u32)c)));";
    let reference = |a, b, c| f(a).mul_add(f(b), f(c)).to_bits().into();
    check(
        "f32 fma",
        &CHIPS,
        single,
        &inputs(&edges32()),
        reference,
        float32,
    );
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn conversions_saturate_and_round_to_even() {
    // What C leaves undefined the instruction defines: it is asked for by name.
    let to_int = "u32 q; asm(\"v_cvt_i32_f32 %0, %1\" : \"=v\"(q) : \"v\"((u32)a)); r = q;";
    check(
        "f32 to i32",
        &CHIPS,
        to_int,
        &inputs(&edges32()),
        |a, _, _| u64::from(f(a) as i32 as u32),
        bits,
    );
    let to_unsigned = "u32 q; asm(\"v_cvt_u32_f32 %0, %1\" : \"=v\"(q) : \"v\"((u32)a)); r = q;";
    check(
        "f32 to u32",
        &CHIPS,
        to_unsigned,
        &inputs(&edges32()),
        |a, _, _| u64::from(f(a) as u32),
        bits,
    );
    let from_long = "r = __builtin_bit_cast(u64, (double)(i64)a);";
    check(
        "i64 to f64",
        &CHIPS,
        from_long,
        &inputs(&F64),
        |a, _, _| (a as i64 as f64).to_bits(),
        bits,
    );
    let from_long_single = "r = __builtin_bit_cast(u32, (float)a);";
    check(
        "u64 to f32",
        &CHIPS,
        from_long_single,
        &inputs(&F64),
        |a, _, _| (a as f32).to_bits().into(),
        bits,
    );
    let narrow = "r = __builtin_bit_cast(u32, (float)__builtin_bit_cast(double, a));";
    check(
        "f64 to f32",
        &CHIPS,
        narrow,
        &inputs(&F64),
        |a, _, _| (f64::from_bits(a) as f32).to_bits().into(),
        float32,
    );
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn wide_whole_numbers() {
    check(
        "u64 product",
        &CHIPS,
        "r = a * b;",
        &inputs(&F64),
        |a, b, _| a.wrapping_mul(b),
        bits,
    );
    check(
        "u64 high product",
        &CHIPS,
        "r = (u64)(((unsigned __int128)a * b) >> 64);",
        &inputs(&F64),
        |a, b, _| ((u128::from(a) * u128::from(b)) >> 64) as u64,
        bits,
    );
    check(
        "i64 quotient",
        &CHIPS,
        "r = b ? a / b : 7;",
        &inputs(&F64),
        |a, b, _| a.checked_div(b).unwrap_or(7),
        bits,
    );
    check(
        "u32 remainder",
        &CHIPS,
        "r = (u32)b ? (u32)a % (u32)b : 7;",
        &inputs(&F64),
        |a, b, _| u64::from((a as u32).checked_rem(b as u32).unwrap_or(7)),
        bits,
    );
    // Counts of shifts beyond the width are masked by the instruction.
    let shift = "asm(\"v_lshrrev_b64 %0, %1, %2\" : \"=v\"(r) : \"v\"((u32)b), \"v\"(a));";
    check(
        "64-bit shift",
        &CHIPS,
        shift,
        &inputs(&F64),
        |a, b, _| a >> (b & 63),
        bits,
    );
    let signed = "asm(\"v_ashrrev_i64 %0, %1, %2\" : \"=v\"(r) : \"v\"((u32)b), \"v\"(a));";
    check(
        "64-bit signed shift",
        &CHIPS,
        signed,
        &inputs(&F64),
        |a, b, _| ((a as i64) >> (b & 63)) as u64,
        bits,
    );
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn fields_of_bits() {
    let unsigned = "u32 q; asm(\"v_bfe_u32 %0, %1, %2, %3\" : \"=v\"(q) : \"v\"((u32)a), \"v\"((u32)b), \"v\"((u32)c)); r = q;";
    let field = |a: u64, b: u64, c: u64| (u64::from(a as u32) >> (b & 31)) & ((1 << (c & 31)) - 1);
    check("v_bfe_u32", &CHIPS, unsigned, &inputs(&F64), field, bits);
    let signed = "u32 q; asm(\"v_bfe_i32 %0, %1, %2, %3\" : \"=v\"(q) : \"v\"((u32)a), \"v\"((u32)b), \"v\"((u32)c)); r = q;";
    let reference = move |a: u64, b: u64, c: u64| {
        let (width, value) = (c & 31, i64::from(a as i32) >> (b & 31));
        if width == 0 {
            0
        } else {
            u64::from(((value << (64 - width)) >> (64 - width)) as u32)
        }
    };
    check("v_bfe_i32", &CHIPS, signed, &inputs(&F64), reference, bits);
    let scalar = "u32 x = __builtin_amdgcn_readfirstlane((u32)a), y = __builtin_amdgcn_readfirstlane((u32)b), q; \
                  asm(\"s_bfe_i32 %0, %1, %2\" : \"=s\"(q) : \"s\"(x), \"s\"(y) : \"scc\"); r = q;";
    let one_a_group: Vec<[u64; 3]> = random(200)
        .iter()
        .flat_map(|x| vec![[*x, x >> 7 & 0x7f_001f, 0]; 64])
        .collect();
    let reference = |a: u64, b: u64, _| {
        let (offset, width) = (b & 31, b >> 16 & 0x7f);
        let width = width.min(32 - offset);
        let value = i64::from(a as i32) >> offset;
        if width == 0 {
            0
        } else {
            u64::from(((value << (64 - width)) >> (64 - width)) as u32)
        }
    };
    check("s_bfe_i32", &CHIPS, scalar, &one_a_group, reference, bits);
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn bytes_are_permuted_and_aligned() {
    let perm = "r = __builtin_amdgcn_perm((u32)a, (u32)b, (u32)c);";
    let reference = |a: u64, b: u64, c: u64| {
        let all = (a as u32 as u64) << 32 | b as u32 as u64;
        (0..4).fold(0, |r, k| {
            let byte = match c >> (8 * k) & 255 {
                s @ 0..=7 => all >> (8 * s) & 255,
                s @ 8..=11 => {
                    if all >> (16 * (s - 8) + 15) & 1 != 0 {
                        255
                    } else {
                        0
                    }
                }
                12 => 0,
                _ => 255,
            };
            r | byte << (8 * k)
        })
    };
    let selectors: Vec<[u64; 3]> = random(3000)
        .chunks_exact(3)
        .map(|x| [x[0], x[1], x[2] & 0x0f0f_0f0f])
        .collect();
    check("v_perm_b32", &CHIPS, perm, &selectors, reference, bits);
    let align = "r = __builtin_amdgcn_alignbit((u32)a, (u32)b, (u32)c);";
    let reference = |a: u64, b: u64, c: u64| {
        u64::from((((a as u32 as u64) << 32 | b as u32 as u64) >> (c & 31)) as u32)
    };
    check("v_alignbit_b32", &CHIPS, align, &selectors, reference, bits);
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn classes_of_floats() {
    let class = "r = __builtin_amdgcn_classf(__builtin_bit_cast(float, (u32)a), (u32)b & 0x3ff);";
    let masks: Vec<[u64; 3]> = edges32()
        .iter()
        .chain(&[0x7f80_0001])
        .flat_map(|x| (0..10).map(|k| [*x, 1 << k, 0]))
        .collect();
    let reference = |a: u64, b: u64, _| {
        let x = f(a);
        let bit = match x.classify() {
            std::num::FpCategory::Nan => u32::from(a & 0x40_0000 != 0),
            std::num::FpCategory::Infinite => {
                if x < 0.0 {
                    2
                } else {
                    9
                }
            }
            std::num::FpCategory::Normal => {
                if x < 0.0 {
                    3
                } else {
                    8
                }
            }
            std::num::FpCategory::Subnormal => {
                if x < 0.0 {
                    4
                } else {
                    7
                }
            }
            std::num::FpCategory::Zero => {
                if x.is_sign_negative() {
                    5
                } else {
                    6
                }
            }
        };
        u64::from(b >> bit & 1 != 0)
    };
    check("v_cmp_class_f32", &CHIPS, class, &masks, reference, bits);
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn pieces_of_floats() {
    let exponent = "r = (u32)__builtin_amdgcn_frexp_exp(__builtin_bit_cast(double, a));";
    let reference = |a: u64, _, _| {
        let x = f64::from_bits(a);
        let e = if x == 0.0 || !x.is_finite() {
            0
        } else if x.is_subnormal() {
            // The highest bit of the mantissa is worth 2^-1023.
            -1022 - (a << 12).leading_zeros() as i32
        } else {
            (a >> 52 & 0x7ff) as i32 - 1022
        };
        u64::from(e as u32)
    };
    check(
        "v_frexp_exp_i32_f64",
        &CHIPS,
        exponent,
        &inputs(&F64),
        reference,
        bits,
    );
    let scaled = "r = __builtin_bit_cast(u32, __builtin_amdgcn_ldexpf(__builtin_bit_cast(float, (u32)a), (int)(b % 300) - 150));";
    let reference =
        |a: u64, b: u64, _| (f64::from(f(a)) * 2f64.powi((b % 300) as i32 - 150)) as f32;
    check(
        "v_ldexp_f32",
        &CHIPS,
        scaled,
        &inputs(&edges32()),
        move |a, b, c| reference(a, b, c).to_bits().into(),
        float32,
    );
}

#[test]
#[ignore = "needs clang for AMD (clang-19); HIP_EMULATOR_CLANG names another"]
fn pairs_of_halves() {
    let body = "typedef f16 h2 __attribute__((ext_vector_type(2))); h2 x = __builtin_bit_cast(h2, (u32)a), y = __builtin_bit_cast(h2, (u32)b); \
                r = __builtin_bit_cast(u32, x * y + y);";
    // Whole halves of small size: products and sums are exact.
    let small: Vec<[u64; 3]> = (0..256u64)
        .map(|k| {
            [
                0x4000_3c00 + (k << 22 & 0x0400_0000),
                0x3c00_4200 + (k & 1) * 0x400,
                0,
            ]
        })
        .collect();
    let half = |x: u64| match x & 0xffff {
        0x3c00 => 1.0f32,
        0x4000 => 2.0,
        0x4200 => 3.0,
        0x4600 => 6.0,
        0x4400 => 4.0,
        other => panic!("{other:#x}"),
    };
    let code = |x: f32| {
        let b = x.to_bits();
        u64::from((b >> 13 & 0x3ff) | ((b >> 23) - 112) << 10)
    };
    let one = move |a: u64, b: u64| code(half(a) * half(b) + half(b));
    check(
        "v_pk_fma_f16",
        &CHIPS,
        body,
        &small,
        move |a, b, _| one(a, b) | one(a >> 16, b >> 16) << 16,
        bits,
    );
}
