//! Random numbers of cuRAND, which hipRAND draws in another order or with other bits.
//!
//! ## Why on AMD
//! hipRAND has the same generators and distributions, but not the same sequences: ordering, seeding and the transformation to
//! floating point differ. A test that compares with stored numbers, or with a CPU that repeats CUDA's sequence, fails.
//!
//! ## Example
//! ```cuda
//! curandGenerateUniform(generator, x, n);
//! ```
//!
//! ## When to ignore
//! When the program uses the numbers only statistically.
//!
//! ## Source
//! hipRAND and rocRAND documentation of ROCm 6.4.

use crate::cpp::statements::is_first;
use crate::rules::prelude::*;

/// Speaks once per file.
pub static RULE: Rule = Rule {
    code: "CASS504",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[Fact::DecidedByPort],
    checks: &[Check::Idents(NAMES, check)],
};

const NAMES: &[&str] = &[
    "curandCreateGenerator",
    "curandCreateGeneratorHost",
    "curand_init",
];

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    if !cx.doc.next_is(index, "(") || !is_first(cx.doc, index, NAMES) {
        return;
    }
    let finding = RULE
        .finding(
            cx.range(index),
            "hipRAND draws other numbers than cuRAND for the same seed",
        )
        .help("compare with a tolerance or by statistics, not with numbers that were stored on NVIDIA GPUs");
    cx.report(finding);
}
