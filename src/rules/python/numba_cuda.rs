//! A program for `numba.cuda`.
//!
//! ## Why on AMD
//! Numba compiles CUDA kernels for NVIDIA alone. The package numba-hip has most of `numba.cuda` under `numba.hip`; shuffles and votes
//! are there without mask, atomics, dynamic shared memory, cooperative groups, random numbers and PTX are not. A file becomes one for
//! numba-hip where every name that it uses is there, or where functions written into the file stand for it: atomics, random numbers and
//! reductions. Dynamic shared memory becomes an array of the size that the launches in the file give. Else the file stays as it is, and
//! each name that is in the way is an error.
//!
//! ## Example
//! ```python
//! from numba import cuda
//! ```
//! becomes
//! ```python
//! from numba import hip as cuda
//! ```
//!
//! ## When to ignore
//! When AMD never runs the file. A whole application can also call `numba.hip.pose_as_cuda()` before it imports anything of Numba.
//!
//! ## Source
//! The wheel of numba-hip 0.2.1; `mappings/numba.toml`, held against it by `tests/numba/names.py`.

use crate::analysis::numba_port::{Hindrance, Port, Uses};
use crate::mapping::NumbaTable;
use crate::options::CompatMode;
use crate::rules::prelude::*;

/// Ports files whose names are all there; reports the others.
pub static RULE: Rule = Rule {
    code: "CASS690",
    severity: Severity::Error,
    fix: Some(Applicability::Review),
    priority: 50,
    triggers: &[Trigger::Python],
    check,
};

/// What a person looks at in a file that is ported.
const LOOK: &str = "install numba-hip; what shares arrays or kernels with this file must move with it, and what relies on warps of 32 lanes must be checked";

fn check(_: Site<'_>, cx: &mut Context<'_, '_>) {
    let Some(file) = cx.python().filter(|file| file.imports("numba")) else {
        return;
    };
    let has_helpers = cx.options().compat != CompatMode::None;
    let findings: Vec<Finding> = match Uses::of(file).port(has_helpers) {
        Port::Changes(changes) => changes
            .into_iter()
            .map(|it| {
                RULE.finding(it.range, it.message)
                    .severity(Severity::Warning)
                    .help(LOOK)
                    .fix(Fix::review(it.edits))
            })
            .collect(),
        Port::Hindrances(hindrances) => hindrances.into_iter().map(hindrance).collect(),
    };
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// A name in the way.
fn hindrance(it: Hindrance) -> Finding {
    let release = NumbaTable::builtin().release();
    let message = format!(
        "numba-hip {release} has no usable `{}`: the file stays one for numba.cuda",
        it.name
    );
    RULE.finding(it.range, message).help(it.advice)
}
