//! A call of programmatic dependent launch in a kernel.
//!
//! ## Why on AMD
//! `cudaGridDependencySynchronize` lets a kernel start before the one in front of it in the stream has ended. AMD starts a kernel when
//! the one in front has ended, so the calls have nothing to do: what they order is ordered already.
//!
//! ## Example
//! ```cuda
//! cudaGridDependencySynchronize();
//! y[i] = f(x[i]);
//! ```
//! becomes
//! ```hip
//! y[i] = f(x[i]);
//! ```
//!
//! ## When to ignore
//! Never; the overlap of the two kernels is lost.
//!
//! ## Source
//! CUDA programming guide, programmatic dependent launch; HIP stream semantics.

use crate::cpp::calls::DEPENDENT_LAUNCH;
use crate::cpp::deletion::{call_statement, delete_lines};
use crate::rules::prelude::*;

/// Deletes the calls.
pub static RULE: Rule = Rule {
    code: "CASS107",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 10,
    facts: &[],
    checks: &[Check::Claimed(DEPENDENT_LAUNCH, check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let name = cx.text(index);
    let finding = RULE.finding(
        cx.range(index),
        format!("`{name}` has no effect on AMD: a kernel starts when the previous one in the stream has ended"),
    );
    let statement = cx
        .doc
        .call(index)
        .and_then(|call| call_statement(cx.doc, &call));
    cx.report(match statement {
        Some(range) => finding
            .help("stream order is kept without it; the two kernels do not overlap")
            .fix(Fix::review(vec![delete_lines(cx.doc, range)])),
        None => finding
            .severity(Severity::Error)
            .help("delete the call; stream order already guarantees it"),
    });
}
