//! Scalar operations that change the lanes that are on.

use super::table::{Form, Table, def};
use crate::device::wave::EXEC;
use crate::device::wave::inst::Ty;

/// The result goes to EXEC, what EXEC was to the destination.
macro_rules! save {
    ($t:expr, $names:literal, |$a:ident, $exec:ident| $e:expr) => {
        for name in $names.split('|') {
            scalar!(
                $t,
                &format!("s_{name}_saveexec_b64"),
                1,
                &[Ty::I64, Ty::I64],
                |wave, inst| {
                    let ($a, $exec) = (wave.scalar64(inst.src[0]), wave.pair(EXEC));
                    let result = $e;
                    wave.set_scalar64(inst.dst, $exec);
                    wave.set_pair(EXEC, result);
                    wave.scc = result != 0;
                }
            );
            scalar!(
                $t,
                &format!("s_{name}_saveexec_b32"),
                1,
                &[Ty::I32, Ty::I32],
                |wave, inst| {
                    let ($a, $exec) = (wave.scalar(inst.src[0]), wave.s[EXEC]);
                    let result = $e;
                    wave.set_scalar(inst.dst, $exec);
                    wave.s[EXEC] = result;
                    wave.scc = result != 0;
                }
            );
        }
    };
}

/// The result goes to EXEC and to the destination.
macro_rules! write {
    ($t:expr, $names:literal, |$a:ident, $exec:ident| $e:expr) => {
        for name in $names.split('|') {
            scalar!(
                $t,
                &format!("s_{name}_wrexec_b64"),
                1,
                &[Ty::I64, Ty::I64],
                |wave, inst| {
                    let ($a, $exec) = (wave.scalar64(inst.src[0]), wave.pair(EXEC));
                    let result = $e;
                    wave.set_pair(EXEC, result);
                    wave.set_scalar64(inst.dst, result);
                    wave.scc = result != 0;
                }
            );
            scalar!(
                $t,
                &format!("s_{name}_wrexec_b32"),
                1,
                &[Ty::I32, Ty::I32],
                |wave, inst| {
                    let ($a, $exec) = (wave.scalar(inst.src[0]), wave.s[EXEC]);
                    let result = $e;
                    wave.s[EXEC] = result;
                    wave.set_scalar(inst.dst, result);
                    wave.scc = result != 0;
                }
            );
        }
    };
}

/// Adds the operations of this file.
pub(crate) fn fill(t: &mut Table) {
    save!(t, "and", |a, exec| a & exec);
    save!(t, "or", |a, exec| a | exec);
    save!(t, "xor", |a, exec| a ^ exec);
    save!(t, "andn1|and_not0", |a, exec| !a & exec);
    save!(t, "andn2|and_not1", |a, exec| a & !exec);
    save!(t, "orn1|or_not0", |a, exec| !a | exec);
    save!(t, "orn2|or_not1", |a, exec| a | !exec);
    save!(t, "nand", |a, exec| !(a & exec));
    save!(t, "nor", |a, exec| !(a | exec));
    save!(t, "xnor", |a, exec| !(a ^ exec));
    write!(t, "andn1|and_not0", |a, exec| !a & exec);
    write!(t, "andn2|and_not1", |a, exec| a & !exec);
}
