//! Vector comparisons, which write a bit a lane.

use super::table::{Def, Form, Table, def};
use crate::device::lanes::{F16, F32, F64, H16, I16, I32, I64, Kind, U16, U32, U64, test2};
use crate::device::model::float::{class_f16, class_f32, class_f64};
use crate::device::wave::Wave;
use crate::device::wave::inst::{Inst, Operand, Ty};

/// [`Inst::param`] of the form that also sets EXEC.
const SETS_EXEC: u32 = 1;

/// Writes the mask; of gfx10 and later the form that sets EXEC has no other result.
fn finish(wave: &mut Wave<'_>, inst: &Inst, mask: u64) {
    if inst.dst != Operand::None {
        wave.set_mask(inst.dst, mask);
    }
    if inst.param == SETS_EXEC {
        wave.set_exec(mask);
    }
}

macro_rules! compare {
    ($t:expr, $predicate:expr, $ty:literal, $a:ident, $b:ident, |$x:ident, $y:ident| $e:expr) => {{
        #[inline(always)]
        fn body(wave: &mut Wave<'_>, inst: &Inst) {
            let mask = test2::<$a, $b>(wave, inst, |$x, $y| $e);
            finish(wave, inst, mask);
        }
        let def = def(both!(body), Form::Compare, 1, &[Ty::Mask, $a::TY, $b::TY]);
        for predicate in $predicate.split('|') {
            $t.add(&format!("v_cmp_{predicate}_{}", $ty), def);
            $t.add(
                &format!("v_cmpx_{predicate}_{}", $ty),
                Def {
                    param: SETS_EXEC,
                    ..def
                },
            );
        }
    }};
}

macro_rules! ordered {
    ($t:expr, $ty:literal, $k:ident) => {
        compare!($t, "f", $ty, $k, $k, |_a, _b| false);
        compare!($t, "lt", $ty, $k, $k, |a, b| a < b);
        compare!($t, "eq", $ty, $k, $k, |a, b| a == b);
        compare!($t, "le", $ty, $k, $k, |a, b| a <= b);
        compare!($t, "gt", $ty, $k, $k, |a, b| a > b);
        compare!($t, "ge", $ty, $k, $k, |a, b| a >= b);
        compare!($t, "t|tru", $ty, $k, $k, |_a, _b| true);
    };
}

macro_rules! integers {
    ($t:expr, $ty:literal, $k:ident) => {
        ordered!($t, $ty, $k);
        compare!($t, "ne", $ty, $k, $k, |a, b| a != b);
    };
}

macro_rules! floats {
    ($t:expr, $ty:literal, $k:ident) => {
        ordered!($t, $ty, $k);
        compare!($t, "lg", $ty, $k, $k, |a, b| a < b || a > b);
        compare!($t, "o", $ty, $k, $k, |a, b| !a.is_nan() && !b.is_nan());
        compare!($t, "u", $ty, $k, $k, |a, b| a.is_nan() || b.is_nan());
        compare!($t, "nge", $ty, $k, $k, |a, b| !(a >= b));
        compare!($t, "nlg", $ty, $k, $k, |a, b| !(a < b || a > b));
        compare!($t, "ngt", $ty, $k, $k, |a, b| !(a > b));
        compare!($t, "nle", $ty, $k, $k, |a, b| !(a <= b));
        compare!($t, "neq", $ty, $k, $k, |a, b| a != b);
        compare!($t, "nlt", $ty, $k, $k, |a, b| !(a < b));
    };
}

/// Adds the operations of this file.
// Comparisons are as they stand in the manual: NaN makes the negated ones true.
#[allow(clippy::neg_cmp_op_on_partial_ord, clippy::double_comparisons)]
pub(crate) fn fill(t: &mut Table) {
    integers!(t, "i32", I32);
    integers!(t, "u32", U32);
    integers!(t, "i16", I16);
    integers!(t, "u16", U16);
    integers!(t, "i64", I64);
    integers!(t, "u64", U64);
    floats!(t, "f32", F32);
    floats!(t, "f64", F64);
    floats!(t, "f16", F16);
    compare!(t, "class", "f32", F32, U32, |a, b| class_f32(a) & b != 0);
    compare!(t, "class", "f64", F64, U32, |a, b| class_f64(a) & b != 0);
    compare!(t, "class", "f16", H16, U32, |a, b| class_f16(a) & b != 0);
}
