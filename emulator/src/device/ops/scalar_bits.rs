//! Scalar operations on bits.

use super::bits::{leading, leading_signs, trailing};
use super::table::{Form, Table, def};
use crate::device::wave::inst::Ty;

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    logic(t);
    shifts(t);
    fields(t);
    counts(t);
    searches(t);
    single(t);
    quads(t);
}

/// The same for 32 and 64 bits; SCC tells whether the result is other than 0.
macro_rules! logic {
    ($t:expr, $names:literal, |$a:ident, $b:ident| $e:expr) => {
        for name in $names.split('|') {
            s2!($t, &format!("{name}_b32"), |w, $a, $b| {
                let r = $e;
                w.scc = r != 0;
                r
            });
            s2_64!($t, &format!("{name}_b64"), I64, |w, $a, $b| {
                let r = $e;
                w.scc = r != 0;
                r
            });
        }
    };
}

fn logic(t: &mut Table) {
    logic!(t, "s_and", |a, b| a & b);
    logic!(t, "s_or", |a, b| a | b);
    logic!(t, "s_xor", |a, b| a ^ b);
    logic!(t, "s_andn2|s_and_not1", |a, b| a & !b);
    logic!(t, "s_orn2|s_or_not1", |a, b| a | !b);
    logic!(t, "s_nand", |a, b| !(a & b));
    logic!(t, "s_nor", |a, b| !(a | b));
    logic!(t, "s_xnor", |a, b| !(a ^ b));
    s1!(t, "s_not_b32", |w, a| {
        w.scc = a != u32::MAX;
        !a
    });
    s1_64!(t, "s_not_b64", |w, a| {
        w.scc = a != u64::MAX;
        !a
    });
    s1!(t, "s_brev_b32", |w, a| a.reverse_bits());
    s1_64!(t, "s_brev_b64", |w, a| a.reverse_bits());
}

macro_rules! shift {
    ($t:expr, $names:literal, |$a:ident, $b:ident| $e:expr) => {
        s2!($t, $names, |w, x, y| {
            let ($a, $b) = (x, y & 31);
            let r = $e;
            w.scc = r != 0;
            r
        });
    };
    (64 $t:expr, $names:literal, |$a:ident, $b:ident| $e:expr) => {
        s2_64!($t, $names, I32, |w, x, y| {
            let ($a, $b) = (x, y & 63);
            let r = $e;
            w.scc = r != 0;
            r
        });
    };
}

fn shifts(t: &mut Table) {
    shift!(t, "s_lshl_b32", |a, b| a << b);
    shift!(t, "s_lshr_b32", |a, b| a >> b);
    shift!(t, "s_ashr_i32", |a, b| (a as i32 >> b) as u32);
    shift!(64 t, "s_lshl_b64", |a, b| a << b);
    shift!(64 t, "s_lshr_b64", |a, b| a >> b);
    shift!(64 t, "s_ashr_i64", |a, b| (a as i64 >> b) as u64);
    s2!(t, "s_bfm_b32", |w, a, b| ((1u32 << (a & 31)) - 1)
        << (b & 31));
    s2_64!(t, "s_bfm_b64", I32, |w, a, b| ((1u64 << (a & 63)) - 1)
        << (b & 63));
}

/// Offset and width of a field of a word of `bits`: at most what lies above the offset.
fn field(b: u32, bits: u32) -> (u32, u32) {
    let offset = b & (bits - 1);
    (offset, (b >> 16 & 127).min(bits - offset))
}

fn unsigned_field(a: u64, b: u32, bits: u32) -> u64 {
    let (offset, width) = field(b, bits);
    if width == 0 {
        0
    } else {
        a >> offset & u64::MAX >> (64 - width)
    }
}

fn signed_field(a: u64, b: u32, bits: u32) -> i64 {
    let (_, width) = field(b, bits);
    if width == 0 {
        0
    } else {
        ((unsigned_field(a, b, bits) << (64 - width)) as i64) >> (64 - width)
    }
}

fn fields(t: &mut Table) {
    s2!(t, "s_bfe_u32", |w, a, b| {
        let r = unsigned_field(a.into(), b, 32) as u32;
        w.scc = r != 0;
        r
    });
    s2!(t, "s_bfe_i32", |w, a, b| {
        let r = signed_field(a.into(), b, 32) as u32;
        w.scc = r != 0;
        r
    });
    s2_64!(t, "s_bfe_u64", I32, |w, a, b| {
        let r = unsigned_field(a, b as u32, 64);
        w.scc = r != 0;
        r
    });
    s2_64!(t, "s_bfe_i64", I32, |w, a, b| {
        let r = signed_field(a, b as u32, 64) as u64;
        w.scc = r != 0;
        r
    });
}

fn counts(t: &mut Table) {
    s1!(t, "s_bcnt0_i32_b32", |w, a| {
        w.scc = a != u32::MAX;
        a.count_zeros()
    });
    s1!(t, "s_bcnt1_i32_b32", |w, a| {
        w.scc = a != 0;
        a.count_ones()
    });
    s1_narrow!(t, "s_bcnt0_i32_b64", |w, a| {
        w.scc = a != u64::MAX;
        a.count_zeros()
    });
    s1_narrow!(t, "s_bcnt1_i32_b64", |w, a| {
        w.scc = a != 0;
        a.count_ones()
    });
}

fn leading64(x: u64) -> u32 {
    if x == 0 { u32::MAX } else { x.leading_zeros() }
}

fn trailing64(x: u64) -> u32 {
    if x == 0 { u32::MAX } else { x.trailing_zeros() }
}

fn searches(t: &mut Table) {
    s1!(t, "s_ff1_i32_b32|s_ctz_i32_b32", |w, a| trailing(a));
    s1_narrow!(t, "s_ff1_i32_b64|s_ctz_i32_b64", |w, a| trailing64(a));
    s1!(t, "s_ff0_i32_b32", |w, a| trailing(!a));
    s1_narrow!(t, "s_ff0_i32_b64", |w, a| trailing64(!a));
    s1!(t, "s_flbit_i32_b32|s_clz_i32_u32", |w, a| leading(a));
    s1_narrow!(t, "s_flbit_i32_b64|s_clz_i32_u64", |w, a| leading64(a));
    s1!(t, "s_flbit_i32|s_cls_i32", |w, a| leading_signs(a as i32));
    s1_narrow!(t, "s_flbit_i32_i64|s_cls_i32_i64", |w, a| leading64(
        (a as i64 ^ (a as i64 >> 63)) as u64
    ));
}

fn single(t: &mut Table) {
    scalar!(t, "s_bitset0_b32", 1, &[Ty::I32, Ty::I32], |wave, inst| {
        let bits = wave.scalar(inst.dst) & !(1 << (wave.scalar(inst.src[0]) & 31));
        wave.set_scalar(inst.dst, bits);
    });
    scalar!(t, "s_bitset1_b32", 1, &[Ty::I32, Ty::I32], |wave, inst| {
        let bits = wave.scalar(inst.dst) | 1 << (wave.scalar(inst.src[0]) & 31);
        wave.set_scalar(inst.dst, bits);
    });
    scalar!(t, "s_bitset0_b64", 1, &[Ty::I64, Ty::I32], |wave, inst| {
        let bits = wave.scalar64(inst.dst) & !(1 << (wave.scalar(inst.src[0]) & 63));
        wave.set_scalar64(inst.dst, bits);
    });
    scalar!(t, "s_bitset1_b64", 1, &[Ty::I64, Ty::I32], |wave, inst| {
        let bits = wave.scalar64(inst.dst) | 1 << (wave.scalar(inst.src[0]) & 63);
        wave.set_scalar64(inst.dst, bits);
    });
    scalar!(
        t,
        "s_bitreplicate_b64_b32",
        1,
        &[Ty::I64, Ty::I32],
        |wave, inst| {
            let a = wave.scalar(inst.src[0]);
            let bits = (0..32).fold(0, |r, k| r | (3 * u64::from(a >> k & 1)) << (2 * k));
            wave.set_scalar64(inst.dst, bits);
        }
    );
}

/// All four bits of each group of four in which one is set.
fn whole_quads(a: u64) -> u64 {
    (0..16).fold(0, |r, k| {
        if a >> (4 * k) & 15 != 0 {
            r | 15 << (4 * k)
        } else {
            r
        }
    })
}

/// A bit for each group of four in which one is set.
fn quad_mask(a: u64) -> u64 {
    (0..16).fold(0, |r, k| r | u64::from(a >> (4 * k) & 15 != 0) << k)
}

fn quads(t: &mut Table) {
    s1!(t, "s_wqm_b32", |w, a| {
        w.scc = a != 0;
        whole_quads(a.into()) as u32
    });
    s1_64!(t, "s_wqm_b64", |w, a| {
        w.scc = a != 0;
        whole_quads(a)
    });
    s1!(t, "s_quadmask_b32", |w, a| {
        w.scc = a != 0;
        quad_mask(a.into()) as u32
    });
    s1_64!(t, "s_quadmask_b64", |w, a| {
        w.scc = a != 0;
        quad_mask(a)
    });
}
