//! A macro of the project that decides between vendors and that the build has to define.
//!
//! ## Why on AMD
//! No compiler defines `USE_CUDA` or `USE_ROCM`: the build does. Without the one for AMD a port that the project brings itself stays off
//! and AMD misses what it is for; without `USE_CUDA` the program runs on the processor in silence. Where both vendors have a branch of
//! their own the project builds for both, and its build defines the macro already.
//!
//! A macro that says a product of NVIDIA is there (`USE_NVIDIA_CUVS`, `WITH_TENSORRT`) is never set for AMD: what it guards stays, is
//! counted as guarded, and is named once.
//!
//! ## Example
//! ```cuda
//! #ifdef USE_ROCM
//! #include "tuned_for_amd.h"
//! #endif
//! ```
//! needs `-DUSE_ROCM` in the build for AMD.
//!
//! ## When to ignore
//! When the build defines it.
//!
//! ## Source
//! HIP porting guide.

use crate::rules::prelude::*;
use crate::syntax::is_product_macro;

/// Says once for each macro of a file that the build must define it.
pub static RULE: Rule = Rule {
    code: "CASS608",
    severity: Severity::Info,
    fix: None,
    priority: 50,
    facts: &[Fact::DecidedByPort],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    // Where AMD has a macro of its own, the one for CUDA stays undefined.
    let knows_amd = doc.directives.iter().any(|directive| {
        directive
            .operands()
            .any(|at| crate::syntax::is_hip_macro(doc.bytes(at)))
    });
    let mut seen: Vec<&[u8]> = Vec::new();
    for (number, directive) in doc.directives.iter().enumerate() {
        let asks = directive.kind.is_condition();
        for at in directive.operands().filter(|&at| asks && doc.is_ident(at)) {
            let name = doc.bytes(at);
            if is_product_macro(name) && !seen.contains(&name) {
                seen.push(name);
                report_product(cx, number, at);
                continue;
            }
            let decides = decides_for_cuda(name, knows_amd)
                || (FOR_AMD.contains(&name) && !has_both_sides(doc, number));
            if decides && !seen.contains(&name) && doc.macros_called(name).next().is_none() {
                seen.push(name);
                report(cx, at);
            }
        }
    }
}

/// Macros that builds define by convention; those of compilers and headers begin with `__` or are versions.
const FOR_AMD: &[&[u8]] = &[
    b"USE_ROCM",
    b"USE_HIP",
    b"WITH_HIP",
    b"HAVE_HIP",
    b"ENABLE_HIP",
    b"WITH_ROCM",
    b"ENABLE_ROCM",
    b"USE_AMD",
];

fn decides_for_cuda(name: &[u8], knows_amd: bool) -> bool {
    const FOR_CUDA: &[&[u8]] = &[b"USE_CUDA", b"WITH_CUDA", b"HAVE_CUDA", b"ENABLE_CUDA"];
    FOR_CUDA.contains(&name) && !knows_amd
}

/// Whether the condition belongs to a group of several branches.
fn has_both_sides(doc: &Document<'_>, number: usize) -> bool {
    let tree = &doc.branches;
    let branch = tree.outwards(doc.directives[number].range.end).next();
    let branch = branch.map(|branch| tree.branch(branch));
    branch.is_some_and(|branch| tree.group(branch.group).branches.len() > 1)
}

/// Says once for each product of NVIDIA that its code stays as it is, if there is any.
fn report_product(cx: &mut Context<'_, '_>, number: usize, at: TokenIndex) {
    let doc = cx.doc;
    let behind = doc.directives[number].range.end;
    if doc.vendor_at(behind) != Vendor::NotHip {
        return;
    }
    let name = cx.text(at).into_owned();
    let finding = RULE
        .finding(cx.range(at), format!("code under `{name}` is for an NVIDIA product and stays as it is"))
        .help(format!("leave `{name}` undefined in the build for AMD; where AMD has a port of the product, translate that code by itself"));
    cx.report(finding);
}

fn report(cx: &mut Context<'_, '_>, at: TokenIndex) {
    let name = cx.text(at).into_owned();
    let finding = RULE
        .finding(
            cx.range(at),
            format!("`{name}` selects what AMD compiles here, and no compiler defines it"),
        )
        .help(format!("pass `-D{name}` to the build for AMD"));
    cx.report(finding);
}
