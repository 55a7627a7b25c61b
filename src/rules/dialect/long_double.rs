//! `long double` in code for the device.
//!
//! ## Why on AMD
//! The device computes `long double` as `double`, in 8 bytes; the host has 80 bits in 16. As a kernel's parameter or in memory that both
//! read the two sides see different layouts, and the numbers are wrong in silence.
//!
//! ## Example
//! ```cuda
//! __global__ void k(long double *x);
//! ```
//! should be
//! ```hip
//! __global__ void k(double *x);
//! ```
//!
//! ## When to ignore
//! In a local variable whose precision does not matter.
//!
//! ## Source
//! HIP C++ language extensions; LLVM, AMDGPU data layout.

use crate::rules::prelude::*;
use crate::syntax::Space;

/// Reports the type in kernels and device functions.
pub static RULE: Rule = Rule {
    code: "CASS112",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Idents(&["long"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    if !cx.doc.next_is(index, "double") || cx.doc.tokens[index].has(flags::DIRECTIVE) {
        return;
    }
    let on_device = cx
        .doc
        .scopes()
        .enclosing(index)
        .is_some_and(|function| matches!(function.space, Space::Kernel | Space::Device));
    if on_device {
        let finding = RULE
            .finding(
                cx.range(index),
                "`long double` is `double` on AMD GPUs, with another layout than on the host",
            )
            .help("use `double` on both sides");
        cx.report(finding);
    }
}
