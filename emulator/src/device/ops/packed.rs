//! Packed operations: two halves of a register, or two registers, at a time; `op_sel` chooses the half that each source gives.

use super::table::{Def, Form, Table, def};
use crate::device::lanes::{begin, put, words};
use crate::device::model::float::{f16_bits, f16_of_f64, f16_value, max_f32, min_f32};
use crate::device::wave::inst::{Inst, Operand, Ty};
use crate::device::wave::{LANES, Row, Wave};

/// The half of source `k` that takes part in the low or high result, for all lanes.
#[inline(always)]
fn half16(wave: &Wave<'_>, inst: &Inst, k: usize, half: usize, high: bool, float: bool) -> Row {
    let (select, negate) = if high {
        (inst.op_sel_hi, inst.neg_hi)
    } else {
        (inst.op_sel, inst.neg)
    };
    let shift = 16 * u32::from(select >> k & 1);
    let sign = if float && negate >> k & 1 != 0 {
        0x8000
    } else {
        0
    };
    words(wave, inst.src[k], 0, half).map(|x| (x >> shift & 0xffff) ^ sign)
}

#[inline(always)]
fn packed16(wave: &mut Wave<'_>, inst: &Inst, float: bool, f: impl Fn(u32, u32, u32) -> u32) {
    begin(wave, inst);
    for half in 0..wave.halves {
        let [a, b, c] = [0, 1, 2].map(|k| half16(wave, inst, k, half, false, float));
        let [d, e, g] = [0, 1, 2].map(|k| half16(wave, inst, k, half, true, float));
        let mut r = [0; LANES];
        for l in 0..LANES {
            r[l] = f(a[l], b[l], c[l]) & 0xffff | f(d[l], e[l], g[l]) << 16;
        }
        if inst.clamp && float {
            clamp(&mut r);
        }
        put(wave, inst.dst, 0, half, &r);
    }
}

fn clamp(r: &mut Row) {
    let one = |x: u32| {
        let value = f16_value(x);
        f16_bits(if value > 0.0 { value.min(1.0) } else { 0.0 })
    };
    for x in r.iter_mut() {
        *x = one(*x & 0xffff) | one(*x >> 16) << 16;
    }
}

macro_rules! pk16 {
    ($t:expr, $names:literal, $ty:ident, $float:literal, |$a:ident, $b:ident, $c:ident| $e:expr) => {
        pk16!(@ $t, $names, Plain, $ty, $float, |$a, $b, $c| $e)
    };
    (@ $t:expr, $names:literal, $form:ident, $ty:ident, $float:literal, |$a:ident, $b:ident, $c:ident| $e:expr) => {{
        #[inline(always)]
        fn body(wave: &mut Wave<'_>, inst: &Inst) {
            packed16(wave, inst, $float, |$a, $b, $c| $e)
        }
        let def = def(both!(body), Form::$form, 1, &[Ty::$ty, Ty::$ty, Ty::$ty, Ty::$ty]);
        $t.add($names, Def { packed: true, ..def });
    }};
}

/// One of two registers of source `k`. A scalar constant stands for both.
#[inline(always)]
fn word32(wave: &Wave<'_>, inst: &Inst, k: usize, half: usize, high: bool) -> Row {
    let (select, negate) = if high {
        (inst.op_sel_hi, inst.neg_hi)
    } else {
        (inst.op_sel, inst.neg)
    };
    let constant = matches!(inst.src[k], Operand::Imm(_));
    let word = if constant {
        0
    } else {
        usize::from(select >> k & 1)
    };
    let sign = u32::from(negate >> k & 1) << 31;
    words(wave, inst.src[k], word, half).map(|x| x ^ sign)
}

#[inline(always)]
fn packed32(wave: &mut Wave<'_>, inst: &Inst, sources: usize, f: impl Fn(f32, f32, f32) -> f32) {
    begin(wave, inst);
    for half in 0..wave.halves {
        let mut results = [[0; LANES]; 2];
        for (high, r) in results.iter_mut().enumerate() {
            let [a, b] = [0, 1].map(|k| word32(wave, inst, k, half, high == 1));
            let c = if sources > 2 {
                word32(wave, inst, 2, half, high == 1)
            } else {
                [0; LANES]
            };
            for l in 0..LANES {
                r[l] = f(
                    f32::from_bits(a[l]),
                    f32::from_bits(b[l]),
                    f32::from_bits(c[l]),
                )
                .to_bits();
            }
        }
        put(wave, inst.dst, 0, half, &results[0]);
        put(wave, inst.dst, 1, half, &results[1]);
    }
}

macro_rules! pk32 {
    ($t:expr, $names:literal, $sources:literal, |$a:ident, $b:ident, $c:ident| $e:expr) => {{
        #[inline(always)]
        fn body(wave: &mut Wave<'_>, inst: &Inst) {
            packed32(wave, inst, $sources, |$a, $b, $c| $e)
        }
        $t.add(
            $names,
            Def {
                packed: true,
                ..def(
                    both!(body),
                    Form::Plain,
                    1,
                    &[Ty::P32, Ty::P32, Ty::P32, Ty::P32],
                )
            },
        );
    }};
}

/// Two registers of two sources, as `op_sel` says.
fn move_pair(wave: &mut Wave<'_>, inst: &Inst) {
    begin(wave, inst);
    for half in 0..wave.halves {
        let pick = |k: usize| {
            let constant = matches!(inst.src[k], Operand::Imm(_));
            words(
                wave,
                inst.src[k],
                if constant {
                    0
                } else {
                    usize::from(inst.op_sel >> k & 1)
                },
                half,
            )
        };
        let (low, high) = (pick(0), pick(1));
        put(wave, inst.dst, 0, half, &low);
        put(wave, inst.dst, 1, half, &high);
    }
}

/// Source `k` of a mixed operation: a 32-bit float, or a half where `op_sel_hi` says so; `neg_hi` takes the absolute value.
#[inline(always)]
fn mixed_source(wave: &Wave<'_>, inst: &Inst, k: usize, half: usize) -> [f32; LANES] {
    let is_half = inst.op_sel_hi >> k & 1 != 0;
    let shift = 16 * u32::from(inst.op_sel >> k & 1);
    words(wave, inst.src[k], 0, half).map(|x| {
        let mut value = if is_half {
            f16_value(x >> shift & 0xffff)
        } else {
            f32::from_bits(x)
        };
        if (inst.neg_hi | inst.abs) >> k & 1 != 0 {
            value = value.abs();
        }
        if inst.neg >> k & 1 != 0 {
            -value
        } else {
            value
        }
    })
}

/// [`Inst::param`] of mixed operations: where the result goes.
const WHOLE: u32 = 0;
const LOW: u32 = 1;

#[inline(always)]
fn mixed(wave: &mut Wave<'_>, inst: &Inst, f: impl Fn(f32, f32, f32) -> f32) {
    begin(wave, inst);
    for half in 0..wave.halves {
        let [a, b, c] = [0, 1, 2].map(|k| mixed_source(wave, inst, k, half));
        let old = words(wave, inst.dst, 0, half);
        let mut r = [0; LANES];
        for l in 0..LANES {
            let mut value = f(a[l], b[l], c[l]);
            if inst.clamp {
                value = if value > 0.0 { value.min(1.0) } else { 0.0 };
            }
            r[l] = match inst.param {
                WHOLE => value.to_bits(),
                LOW => old[l] & 0xffff_0000 | f16_bits(value),
                _ => old[l] & 0xffff | f16_bits(value) << 16,
            };
        }
        put(wave, inst.dst, 0, half, &r);
    }
}

#[inline(always)]
fn mixed_fma(wave: &mut Wave<'_>, inst: &Inst) {
    mixed(wave, inst, |a, b, c| a.mul_add(b, c));
}

#[inline(always)]
fn mixed_mad(wave: &mut Wave<'_>, inst: &Inst) {
    mixed(wave, inst, |a, b, c| a * b + c);
}

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    floats(t);
    integers(t);
    pk32!(t, "v_pk_fma_f32", 3, |a, b, c| a.mul_add(b, c));
    pk32!(t, "v_pk_mul_f32", 2, |a, b, _c| a * b);
    pk32!(t, "v_pk_add_f32", 2, |a, b, _c| a + b);
    t.add(
        "v_pk_mov_b32",
        Def {
            packed: true,
            ..def(
                same!(move_pair),
                Form::Plain,
                1,
                &[Ty::P32, Ty::P32, Ty::P32],
            )
        },
    );
    for (index, place) in ["_f32", "lo_f16", "hi_f16"].into_iter().enumerate() {
        let types = &[Ty::F32, Ty::F32, Ty::F32, Ty::F32];
        let fma = Def {
            packed: true,
            param: index as u32,
            ..def(both!(mixed_fma), Form::Plain, 1, types)
        };
        let mad = Def {
            packed: true,
            param: index as u32,
            ..def(both!(mixed_mad), Form::Plain, 1, types)
        };
        t.add(&format!("v_fma_mix{place}"), fma);
        t.add(&format!("v_mad_mix{place}"), mad);
    }
}

fn floats(t: &mut Table) {
    pk16!(t, "v_pk_add_f16", P16, true, |a, b, _c| f16_bits(
        f16_value(a) + f16_value(b)
    ));
    pk16!(t, "v_pk_mul_f16", P16, true, |a, b, _c| f16_bits(
        f16_value(a) * f16_value(b)
    ));
    pk16!(t, "v_pk_min_f16", P16, true, |a, b, _c| f16_bits(min_f32(
        f16_value(a),
        f16_value(b)
    )));
    pk16!(t, "v_pk_max_f16", P16, true, |a, b, _c| f16_bits(max_f32(
        f16_value(a),
        f16_value(b)
    )));
    pk16!(t, "v_pk_fma_f16", P16, true, |a, b, c| fma(a, b, c));
    pk16!(@ t, "v_pk_fmac_f16", Accumulate, P16, true, |a, b, c| fma(a, b, c));
}

#[inline(always)]
fn fma(a: u32, b: u32, c: u32) -> u32 {
    f16_of_f64(f64::from(f16_value(a)).mul_add(f64::from(f16_value(b)), f64::from(f16_value(c))))
}

/// A packed sum or difference, which saturates with `clamp`.
macro_rules! saturating {
    ($t:expr, $name:literal, |$a:ident, $b:ident| $wrap:expr, $saturate:expr) => {{
        #[inline(always)]
        fn body(wave: &mut Wave<'_>, inst: &Inst) {
            if inst.clamp {
                packed16(wave, inst, false, |$a, $b, _c| $saturate)
            } else {
                packed16(wave, inst, false, |$a, $b, _c| $wrap)
            }
        }
        let def = def(both!(body), Form::Plain, 1, &[Ty::I16, Ty::I16, Ty::I16]);
        $t.add(
            $name,
            Def {
                packed: true,
                saturates: true,
                ..def
            },
        );
    }};
}

fn signed(x: u32) -> i16 {
    x as i16
}

fn integers(t: &mut Table) {
    saturating!(
        t,
        "v_pk_add_u16",
        |a, b| a.wrapping_add(b),
        (a + b).min(0xffff)
    );
    saturating!(
        t,
        "v_pk_sub_u16",
        |a, b| a.wrapping_sub(b),
        a.saturating_sub(b)
    );
    saturating!(
        t,
        "v_pk_add_i16",
        |a, b| a.wrapping_add(b),
        signed(a).saturating_add(signed(b)) as u32
    );
    saturating!(
        t,
        "v_pk_sub_i16",
        |a, b| a.wrapping_sub(b),
        signed(a).saturating_sub(signed(b)) as u32
    );
    pk16!(t, "v_pk_mul_lo_u16", I16, false, |a, b, _c| a
        .wrapping_mul(b));
    pk16!(t, "v_pk_mad_u16|v_pk_mad_i16", I16, false, |a, b, c| a
        .wrapping_mul(b)
        .wrapping_add(c));
    pk16!(t, "v_pk_lshlrev_b16", I16, false, |a, b, _c| b << (a & 15));
    pk16!(t, "v_pk_lshrrev_b16", I16, false, |a, b, _c| b >> (a & 15));
    pk16!(
        t,
        "v_pk_ashrrev_i16",
        I16,
        false,
        |a, b, _c| (b as i16 >> (a & 15)) as u32
    );
    pk16!(t, "v_pk_max_u16", I16, false, |a, b, _c| a.max(b));
    pk16!(t, "v_pk_min_u16", I16, false, |a, b, _c| a.min(b));
    pk16!(
        t,
        "v_pk_max_i16",
        I16,
        false,
        |a, b, _c| (a as i16).max(b as i16) as u32
    );
    pk16!(
        t,
        "v_pk_min_i16",
        I16,
        false,
        |a, b, _c| (a as i16).min(b as i16) as u32
    );
}
