//! Scalar arithmetic and moves.

use super::table::{Form, Table, def};
use crate::device::wave::M0;
use crate::device::wave::inst::{Operand, Ty};

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    sums(t);
    differences(t);
    extremes(t);
    products(t);
    moves(t);
    constants(t);
    indexed(t);
}

fn sums(t: &mut Table) {
    s2!(t, "s_add_u32", |w, a, b| {
        let (sum, carry) = a.overflowing_add(b);
        w.scc = carry;
        sum
    });
    s2!(t, "s_add_i32", |w, a, b| {
        let (sum, over) = (a as i32).overflowing_add(b as i32);
        w.scc = over;
        sum as u32
    });
    s2!(t, "s_addc_u32", |w, a, b| {
        let sum = u64::from(a) + u64::from(b) + u64::from(w.scc);
        w.scc = sum >> 32 != 0;
        sum as u32
    });
    for (names, shift) in [
        ("s_lshl1_add_u32", 1),
        ("s_lshl2_add_u32", 2),
        ("s_lshl3_add_u32", 3),
        ("s_lshl4_add_u32", 4),
    ] {
        let types = &[Ty::I32, Ty::I32, Ty::I32];
        let body = super::table::Def {
            param: shift,
            ..def(same!(shifted_add), Form::Plain, 1, types)
        };
        t.add(names, body);
    }
}

fn shifted_add(wave: &mut crate::device::wave::Wave<'_>, inst: &crate::device::wave::inst::Inst) {
    let sum =
        (u64::from(wave.scalar(inst.src[0])) << inst.param) + u64::from(wave.scalar(inst.src[1]));
    wave.scc = sum >> 32 != 0;
    wave.set_scalar(inst.dst, sum as u32);
}

fn differences(t: &mut Table) {
    s2!(t, "s_sub_u32", |w, a, b| {
        let (difference, borrow) = a.overflowing_sub(b);
        w.scc = borrow;
        difference
    });
    s2!(t, "s_sub_i32", |w, a, b| {
        let (difference, over) = (a as i32).overflowing_sub(b as i32);
        w.scc = over;
        difference as u32
    });
    s2!(t, "s_subb_u32", |w, a, b| {
        let difference = u64::from(a)
            .wrapping_sub(u64::from(b))
            .wrapping_sub(u64::from(w.scc));
        w.scc = difference >> 32 != 0;
        difference as u32
    });
    s2!(t, "s_absdiff_i32", |w, a, b| {
        let difference = (a as i32).wrapping_sub(b as i32).wrapping_abs() as u32;
        w.scc = difference != 0;
        difference
    });
    s1!(t, "s_abs_i32", |w, a| {
        let magnitude = (a as i32).wrapping_abs() as u32;
        w.scc = magnitude != 0;
        magnitude
    });
}

fn extremes(t: &mut Table) {
    s2!(t, "s_min_i32", |w, a, b| {
        w.scc = (a as i32) < b as i32;
        if w.scc { a } else { b }
    });
    s2!(t, "s_max_i32", |w, a, b| {
        w.scc = a as i32 > b as i32;
        if w.scc { a } else { b }
    });
    s2!(t, "s_min_u32", |w, a, b| {
        w.scc = a < b;
        if w.scc { a } else { b }
    });
    s2!(t, "s_max_u32", |w, a, b| {
        w.scc = a > b;
        if w.scc { a } else { b }
    });
}

fn products(t: &mut Table) {
    s2!(t, "s_mul_i32", |w, a, b| a.wrapping_mul(b));
    s2!(
        t,
        "s_mul_hi_u32",
        |w, a, b| ((u64::from(a) * u64::from(b)) >> 32) as u32
    );
    s2!(
        t,
        "s_mul_hi_i32",
        |w, a, b| ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32
    );
}

fn moves(t: &mut Table) {
    s1!(t, "s_mov_b32", |w, a| a);
    s1_64!(t, "s_mov_b64", |w, a| a);
    s1!(t, "s_sext_i32_i8", |w, a| a as i8 as u32);
    s1!(t, "s_sext_i32_i16", |w, a| a as i16 as u32);
    s2!(t, "s_cselect_b32", |w, a, b| if w.scc { a } else { b });
    s2_64!(t, "s_cselect_b64", I64, |w, a, b| if w.scc { a } else { b });
    s2!(t, "s_pack_ll_b32_b16", |w, a, b| a & 0xffff | b << 16);
    s2!(t, "s_pack_lh_b32_b16", |w, a, b| a & 0xffff
        | b & 0xffff_0000);
    s2!(t, "s_pack_hh_b32_b16", |w, a, b| a >> 16 | b & 0xffff_0000);
    s2!(t, "s_pack_hl_b32_b16", |w, a, b| a >> 16 | b << 16);
    scalar!(
        t,
        "s_cmov_b32",
        1,
        &[Ty::I32, Ty::I32],
        |wave, inst| if wave.scc {
            let bits = wave.scalar(inst.src[0]);
            wave.set_scalar(inst.dst, bits);
        }
    );
    scalar!(
        t,
        "s_cmov_b64",
        1,
        &[Ty::I64, Ty::I64],
        |wave, inst| if wave.scc {
            let bits = wave.scalar64(inst.src[0]);
            wave.set_scalar64(inst.dst, bits);
        }
    );
}

/// Operations whose second source is a constant of 16 bits, and the first one the result.
fn constants(t: &mut Table) {
    const ONE: &[Ty] = &[Ty::I32, Ty::I32];
    s1!(t, "s_movk_i32", |w, a| a as i16 as u32);
    scalar!(t, "s_cmovk_i32", 1, ONE, |wave, inst| if wave.scc {
        let bits = wave.scalar(inst.src[0]) as i16 as u32;
        wave.set_scalar(inst.dst, bits);
    });
    scalar!(t, "s_addk_i32", 1, ONE, |wave, inst| {
        let constant = i32::from(wave.scalar(inst.src[0]) as i16);
        let (sum, over) = (wave.scalar(inst.dst) as i32).overflowing_add(constant);
        wave.scc = over;
        wave.set_scalar(inst.dst, sum as u32);
    });
    scalar!(t, "s_mulk_i32", 1, ONE, |wave, inst| {
        let constant = i32::from(wave.scalar(inst.src[0]) as i16);
        let product = (wave.scalar(inst.dst) as i32).wrapping_mul(constant);
        wave.set_scalar(inst.dst, product as u32);
    });
}

fn indexed(t: &mut Table) {
    scalar!(t, "s_movrels_b32", 1, &[Ty::I32, Ty::I32], |wave, inst| {
        let bits = wave.scalar(moved(inst.src[0], wave.s[M0]));
        wave.set_scalar(inst.dst, bits);
    });
    scalar!(t, "s_movrels_b64", 1, &[Ty::I64, Ty::I64], |wave, inst| {
        let bits = wave.scalar64(moved(inst.src[0], wave.s[M0]));
        wave.set_scalar64(inst.dst, bits);
    });
    scalar!(t, "s_movreld_b32", 1, &[Ty::I32, Ty::I32], |wave, inst| {
        let bits = wave.scalar(inst.src[0]);
        wave.set_scalar(moved(inst.dst, wave.s[M0]), bits);
    });
    scalar!(t, "s_movreld_b64", 1, &[Ty::I64, Ty::I64], |wave, inst| {
        let bits = wave.scalar64(inst.src[0]);
        wave.set_scalar64(moved(inst.dst, wave.s[M0]), bits);
    });
}

/// A register moved by `by`, within those that there are.
fn moved(operand: Operand, by: u32) -> Operand {
    match operand {
        Operand::S(index) => Operand::S((u32::from(index) + by).min(105) as u16),
        other => other,
    }
}
