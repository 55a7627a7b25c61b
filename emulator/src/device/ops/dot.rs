//! Dot products of short vectors in a register.

use super::table::{Def, Form, Table, def};
use crate::device::lanes::{F32, Kind, begin, fetch};
use crate::device::model::float::{bf16_value, f16_value};
use crate::device::wave::inst::{Inst, Ty};
use crate::device::wave::{LANES, Wave};

/// One element, with its sign.
#[inline(always)]
fn element(x: u32, k: u32, bits: u32, signed: bool) -> i64 {
    let moved = x << (32 - bits * (k + 1));
    if signed {
        i64::from(moved as i32 >> (32 - bits))
    } else {
        i64::from(moved >> (32 - bits))
    }
}

#[inline(always)]
fn dot(a: u32, b: u32, c: u32, bits: u32, signed: [bool; 2], clamp: bool) -> u32 {
    let sum: i64 = (0..32 / bits)
        .map(|k| element(a, k, bits, signed[0]) * element(b, k, bits, signed[1]))
        .sum();
    let any_signed = signed[0] || signed[1];
    let total = sum
        + if any_signed {
            i64::from(c as i32)
        } else {
            i64::from(c)
        };
    match (clamp, any_signed) {
        (false, _) => total as u32,
        (true, true) => total.clamp(i32::MIN.into(), i32::MAX.into()) as u32,
        (true, false) => total.clamp(0, u32::MAX.into()) as u32,
    }
}

/// The whole numbers: bit 0 and 1 of `neg` say which sources are signed where the mnemonic leaves it open.
#[inline(always)]
fn whole(wave: &mut Wave<'_>, inst: &Inst, bits: u32, signed: [bool; 2]) {
    begin(wave, inst);
    let signed = [
        signed[0] || inst.neg & 1 != 0,
        signed[1] || inst.neg & 2 != 0,
    ];
    for half in 0..wave.halves {
        let [a, b, c] = [0, 1, 2].map(|k| crate::device::lanes::words(wave, inst.src[k], 0, half));
        let mut r = [0; LANES];
        for l in 0..LANES {
            r[l] = dot(a[l], b[l], c[l], bits, signed, inst.clamp);
        }
        crate::device::lanes::put(wave, inst.dst, 0, half, &r);
    }
}

macro_rules! whole {
    ($t:expr, $names:literal, $form:ident, $bits:literal, $signed:expr) => {{
        #[inline(always)]
        fn body(wave: &mut Wave<'_>, inst: &Inst) {
            whole(wave, inst, $bits, $signed)
        }
        let def = def(
            both!(body),
            Form::$form,
            1,
            &[Ty::I32, Ty::I32, Ty::I32, Ty::I32],
        );
        $t.add(
            $names,
            Def {
                packed: Form::$form == Form::Plain,
                saturates: true,
                ..def
            },
        );
    }};
}

/// Products of two halves each, and their sum with the third source.
#[inline(always)]
fn halves(wave: &mut Wave<'_>, inst: &Inst, value: fn(u32) -> f32) {
    begin(wave, inst);
    for half in 0..wave.halves {
        let [a, b] = [0, 1].map(|k| crate::device::lanes::words(wave, inst.src[k], 0, half));
        let c = fetch::<F32>(wave, inst, 2, half);
        let mut r = [0; LANES];
        for l in 0..LANES {
            let low = f64::from(value(a[l] & 0xffff)) * f64::from(value(b[l] & 0xffff));
            let high = f64::from(value(a[l] >> 16)) * f64::from(value(b[l] >> 16));
            r[l] = ((low + high + f64::from(f32::from_bits(c[l]))) as f32).to_bits();
        }
        F32::write(wave, inst, half, r);
    }
}

#[inline(always)]
fn dot2_f16(wave: &mut Wave<'_>, inst: &Inst) {
    halves(wave, inst, f16_value);
}

#[inline(always)]
fn dot2_bf16(wave: &mut Wave<'_>, inst: &Inst) {
    halves(wave, inst, bf16_value);
}

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    whole!(t, "v_dot4_i32_i8", Plain, 8, [true, true]);
    whole!(t, "v_dot4_u32_u8", Plain, 8, [false, false]);
    whole!(t, "v_dot4_i32_iu8", Plain, 8, [false, false]);
    whole!(t, "v_dot8_i32_i4", Plain, 4, [true, true]);
    whole!(t, "v_dot8_u32_u4", Plain, 4, [false, false]);
    whole!(t, "v_dot8_i32_iu4", Plain, 4, [false, false]);
    whole!(t, "v_dot2_i32_i16", Plain, 16, [true, true]);
    whole!(t, "v_dot2_u32_u16", Plain, 16, [false, false]);
    whole!(t, "v_dot4c_i32_i8", Accumulate, 8, [true, true]);
    whole!(t, "v_dot8c_i32_i4", Accumulate, 4, [true, true]);
    whole!(t, "v_dot2c_i32_i16", Accumulate, 16, [true, true]);
    const HALVES: &[Ty] = &[Ty::F32, Ty::P16, Ty::P16, Ty::F32];
    t.add(
        "v_dot2_f32_f16",
        Def {
            packed: true,
            ..def(both!(dot2_f16), Form::Plain, 1, HALVES)
        },
    );
    t.add(
        "v_dot2_f32_bf16",
        Def {
            packed: true,
            ..def(both!(dot2_bf16), Form::Plain, 1, HALVES)
        },
    );
    t.add(
        "v_dot2c_f32_f16|v_dot2acc_f32_f16",
        def(both!(dot2_f16), Form::Accumulate, 1, HALVES),
    );
    t.add(
        "v_dot2acc_f32_bf16",
        def(both!(dot2_bf16), Form::Accumulate, 1, HALVES),
    );
}
