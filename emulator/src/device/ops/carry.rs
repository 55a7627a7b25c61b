//! Vector operations that read or write a bit a lane beside their result: carries, selections, wide products.

use super::table::{Def, Form, Table, def};
use crate::device::lanes::{B32, I32, Kind, U16, U32, U64, begin, blend, fetch};
use crate::device::wave::inst::{Inst, Operand, Ty};
use crate::device::wave::{LANES, Wave};

/// An addition or subtraction with carry; `carry` gets the sum of 33 bits.
#[inline(always)]
fn carry(wave: &mut Wave<'_>, inst: &Inst, f: impl Fn(u64, u64, u64) -> u64) {
    begin(wave, inst);
    let carry_in = if inst.src[2] == Operand::None {
        0
    } else {
        wave.mask(inst.src[2])
    };
    let mut carry_out = 0;
    for half in 0..wave.halves {
        let (a, b) = (
            fetch::<U32>(wave, inst, 0, half),
            fetch::<U32>(wave, inst, 1, half),
        );
        let carries = (carry_in >> (32 * half)) as u32;
        let (mut r, mut out) = ([0; LANES], 0);
        for l in 0..LANES {
            let sum = f(a[l].into(), b[l].into(), u64::from(carries >> l & 1));
            r[l] = sum as u32;
            out |= ((sum >> 32) as u32 & 1) << l;
        }
        carry_out |= u64::from(out & wave.write[half]) << (32 * half);
        if inst.clamp && out != 0 {
            saturate(&mut r, out, f(1, 1, 0));
        }
        U32::write(wave, inst, half, r);
    }
    wave.set_mask(inst.dst2, carry_out);
}

/// Lanes with a carry become all ones for sums, zero for differences.
fn saturate(r: &mut [u32; LANES], out: u32, one_and_one: u64) {
    let limit = if one_and_one == 2 { u32::MAX } else { 0 };
    for (l, x) in r.iter_mut().enumerate() {
        if out >> l & 1 != 0 {
            *x = limit;
        }
    }
}

macro_rules! carries {
    ($t:expr, $names:literal, $types:expr, |$a:ident, $b:ident, $c:ident| $e:expr) => {{
        #[inline(always)]
        fn body(wave: &mut Wave<'_>, inst: &Inst) {
            carry(wave, inst, |$a, $b, $c| $e)
        }
        $t.add(
            $names,
            Def {
                saturates: true,
                ..def(both!(body), Form::Plain, 2, $types)
            },
        );
    }};
}

/// The second source where the bit is set.
#[inline(always)]
fn select(wave: &mut Wave<'_>, inst: &Inst) {
    begin(wave, inst);
    // Dual issue leaves VCC unsaid.
    let mask = if inst.src[2] == Operand::None {
        wave.vcc()
    } else {
        wave.mask(inst.src[2])
    };
    for half in 0..wave.halves {
        let (a, b) = (
            fetch::<B32>(wave, inst, 0, half),
            fetch::<B32>(wave, inst, 1, half),
        );
        let bits = (mask >> (32 * half)) as u32;
        let mut r = [0; LANES];
        for l in 0..LANES {
            r[l] = blend(bits, l, b[l], a[l]);
        }
        U32::write(wave, inst, half, r);
    }
}

/// The same for 16 bits.
#[inline(always)]
fn select16(wave: &mut Wave<'_>, inst: &Inst) {
    begin(wave, inst);
    let mask = wave.mask(inst.src[2]);
    for half in 0..wave.halves {
        let (a, b) = (
            fetch::<U16>(wave, inst, 0, half),
            fetch::<U16>(wave, inst, 1, half),
        );
        let bits = (mask >> (32 * half)) as u32;
        let mut r = [0; LANES];
        for l in 0..LANES {
            r[l] = blend(bits, l, b[l], a[l]) & 0xffff;
        }
        U16::write(wave, inst, half, r);
    }
}

/// A product of 64 bits, plus 64 bits.
#[inline(always)]
fn wide<A: Kind<Bits = u32>>(
    wave: &mut Wave<'_>,
    inst: &Inst,
    f: impl Fn(A::Value, A::Value, u64) -> (u64, bool),
) {
    begin(wave, inst);
    let mut carry = 0;
    for half in 0..wave.halves {
        let (a, b) = (
            fetch::<A>(wave, inst, 0, half),
            fetch::<A>(wave, inst, 1, half),
        );
        let c = fetch::<U64>(wave, inst, 2, half);
        let (mut r, mut out) = ([0; LANES], 0);
        for l in 0..LANES {
            let (sum, over) = f(A::value(a[l]), A::value(b[l]), c[l]);
            r[l] = sum;
            out |= u32::from(over) << l;
        }
        carry |= u64::from(out & wave.write[half]) << (32 * half);
        U64::write(wave, inst, half, r);
    }
    wave.set_mask(inst.dst2, carry);
}

#[inline(always)]
fn mad_u64_u32(wave: &mut Wave<'_>, inst: &Inst) {
    wide::<U32>(wave, inst, |a, b, c| {
        (u64::from(a) * u64::from(b)).overflowing_add(c)
    });
}

#[inline(always)]
fn mad_i64_i32(wave: &mut Wave<'_>, inst: &Inst) {
    wide::<I32>(wave, inst, |a, b, c| {
        let (sum, over) = (i64::from(a) * i64::from(b)).overflowing_add(c as i64);
        (sum as u64, over)
    });
}

const OUT: &[Ty] = &[Ty::I32, Ty::Mask, Ty::I32, Ty::I32];
const IN_OUT: &[Ty] = &[Ty::I32, Ty::Mask, Ty::I32, Ty::I32, Ty::Mask];
const WIDE: &[Ty] = &[Ty::I64, Ty::Mask, Ty::I32, Ty::I32, Ty::I64];

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    carries!(t, "v_add_co_u32", OUT, |a, b, _c| a + b);
    carries!(t, "v_sub_co_u32", OUT, |a, b, _c| a.wrapping_sub(b));
    carries!(t, "v_subrev_co_u32", OUT, |a, b, _c| b.wrapping_sub(a));
    carries!(t, "v_addc_co_u32|v_add_co_ci_u32", IN_OUT, |a, b, c| a
        + b
        + c);
    carries!(t, "v_subb_co_u32|v_sub_co_ci_u32", IN_OUT, |a, b, c| a
        .wrapping_sub(b)
        .wrapping_sub(c));
    carries!(
        t,
        "v_subbrev_co_u32|v_subrev_co_ci_u32",
        IN_OUT,
        |a, b, c| b.wrapping_sub(a).wrapping_sub(c)
    );
    t.add(
        "v_cndmask_b32",
        def(
            both!(select),
            Form::Plain,
            1,
            &[Ty::F32, Ty::F32, Ty::F32, Ty::Mask],
        ),
    );
    t.add(
        "v_cndmask_b16",
        def(
            both!(select16),
            Form::Plain,
            1,
            &[Ty::I16, Ty::I16, Ty::I16, Ty::Mask],
        ),
    );
    t.add(
        "v_mad_u64_u32",
        def(both!(mad_u64_u32), Form::Plain, 2, WIDE),
    );
    t.add(
        "v_mad_i64_i32",
        def(both!(mad_i64_i32), Form::Plain, 2, WIDE),
    );
}
