//! Scalar comparisons, which write SCC.

use super::table::{Form, Table, def};
use crate::device::wave::inst::Ty;

const WORDS: &[Ty] = &[Ty::I32, Ty::I32];

macro_rules! compare {
    ($t:expr, $predicate:literal, |$a:ident, $b:ident| $e:expr) => {
        scalar!(
            $t,
            concat!("s_cmp_", $predicate, "_i32"),
            0,
            WORDS,
            |wave, inst| {
                let ($a, $b) = (
                    wave.scalar(inst.src[0]) as i32,
                    wave.scalar(inst.src[1]) as i32,
                );
                wave.scc = $e;
            }
        );
        scalar!(
            $t,
            concat!("s_cmp_", $predicate, "_u32"),
            0,
            WORDS,
            |wave, inst| {
                let ($a, $b) = (wave.scalar(inst.src[0]), wave.scalar(inst.src[1]));
                wave.scc = $e;
            }
        );
        scalar!(
            $t,
            concat!("s_cmpk_", $predicate, "_i32"),
            0,
            WORDS,
            |wave, inst| {
                let ($a, $b) = (
                    wave.scalar(inst.src[0]) as i32,
                    i32::from(wave.scalar(inst.src[1]) as i16),
                );
                wave.scc = $e;
            }
        );
        scalar!(
            $t,
            concat!("s_cmpk_", $predicate, "_u32"),
            0,
            WORDS,
            |wave, inst| {
                let ($a, $b) = (wave.scalar(inst.src[0]), wave.scalar(inst.src[1]) & 0xffff);
                wave.scc = $e;
            }
        );
    };
}

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    compare!(t, "eq", |a, b| a == b);
    compare!(t, "lg", |a, b| a != b);
    compare!(t, "gt", |a, b| a > b);
    compare!(t, "ge", |a, b| a >= b);
    compare!(t, "lt", |a, b| a < b);
    compare!(t, "le", |a, b| a <= b);
    scalar!(t, "s_cmp_eq_u64", 0, &[Ty::I64, Ty::I64], |wave, inst| {
        wave.scc = wave.scalar64(inst.src[0]) == wave.scalar64(inst.src[1]);
    });
    scalar!(t, "s_cmp_lg_u64", 0, &[Ty::I64, Ty::I64], |wave, inst| {
        wave.scc = wave.scalar64(inst.src[0]) != wave.scalar64(inst.src[1]);
    });
    bits(t);
}

fn bits(t: &mut Table) {
    scalar!(t, "s_bitcmp0_b32", 0, WORDS, |wave, inst| {
        wave.scc = wave.scalar(inst.src[0]) >> (wave.scalar(inst.src[1]) & 31) & 1 == 0;
    });
    scalar!(t, "s_bitcmp1_b32", 0, WORDS, |wave, inst| {
        wave.scc = wave.scalar(inst.src[0]) >> (wave.scalar(inst.src[1]) & 31) & 1 != 0;
    });
    scalar!(t, "s_bitcmp0_b64", 0, &[Ty::I64, Ty::I32], |wave, inst| {
        wave.scc = wave.scalar64(inst.src[0]) >> (wave.scalar(inst.src[1]) & 63) & 1 == 0;
    });
    scalar!(t, "s_bitcmp1_b64", 0, &[Ty::I64, Ty::I32], |wave, inst| {
        wave.scc = wave.scalar64(inst.src[0]) >> (wave.scalar(inst.src[1]) & 63) & 1 != 0;
    });
}
