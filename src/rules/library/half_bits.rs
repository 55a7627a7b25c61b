//! The bits of a half in braces: `__half_raw{0x7c00}`.
//!
//! ## Why on AMD
//! CUDA's `__half_raw` has one member, the bits. The first member of HIP's is the number: `__half_raw{0x7c00}` is 31744 there, and not
//! infinity. It compiles without a word where the bits are a number that a half can be.
//!
//! ## Example
//! ```cuda
//! const __half_raw infinity = {0x7c00};
//! ```
//! becomes
//! ```hip
//! const __half_raw infinity = {.x = 0x7c00};
//! ```
//!
//! ## When to ignore
//! Never; zeros are the same either way and stay.
//!
//! ## Source
//! `cuda_fp16.h` of CUDA 13.0 and `hip/amd_detail/amd_hip_fp16.h` of ROCm 6.4; compiled with nvcc 13 and clang 19, which take members by
//! their names in C++17 as well.

use std::ops::Range;

use crate::rules::prelude::*;
use crate::syntax::split_arguments;
use crate::text::number::integer;

/// Names the member.
pub static RULE: Rule = Rule {
    code: "CASS700",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 45,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Idents(
        &[
            "__half_raw",
            "__nv_half_raw",
            "__half2_raw",
            "__nv_half2_raw",
        ],
        check,
    )],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let is_definition = doc.is_before(index, "struct") || doc.is_before(index, "class");
    let start = cx.range(index).start;
    let is_left = is_definition || doc.vendor_at(start) != Vendor::Any || cx.is_inactive(start);
    let Some(open) = braces(doc, index).filter(|_| !is_left) else {
        return;
    };
    let Some(close) = doc.matching_bracket(open) else {
        return;
    };
    let given: Vec<Range<TokenIndex>> = split_arguments(doc, open + 1..close);
    let is_pair = doc.bytes(index).ends_with(b"half2_raw");
    let is_whole = given.len() == if is_pair { 2 } else { 1 };
    if !is_whole || given.iter().all(|it| says_itself(doc, it)) {
        return;
    }
    let name = cx.text(index);
    let message = format!("braces of `{name}` are the bits in CUDA and the number in HIP");
    let finding = RULE.finding(doc.range(index, close), message);
    let both = "make the pair by __halves2half2 of two values of `__half_raw` whose `.x` is set: that is the bits for both vendors";
    cx.report(match is_pair {
        false => {
            let at = cx.range(given[0].start).start;
            finding.fix(Fix::safe(vec![Edit::insert(at, ".x = ")]))
        }
        // Its members are halves in HIP and bits in CUDA: no braces are right for both.
        true => finding.severity(Severity::Error).help(both),
    });
}

/// The `{` behind the type: `__half_raw{…}`, `__half_raw name{…}`, `__half_raw name = {…}`.
fn braces(doc: &Document<'_>, index: TokenIndex) -> Option<TokenIndex> {
    let mut at = doc.next(index)?;
    if doc.is_ident(at) {
        at = doc.next(at)?;
    }
    if doc.is(at, "=") {
        at = doc.next(at)?;
    }
    doc.is(at, "{").then_some(at)
}

/// Whether a value in braces is the same as bits and as a number, or says what it is: zero, a member by its name, braces of its own, a float.
fn says_itself(doc: &Document<'_>, value: &Range<TokenIndex>) -> bool {
    let first = doc.bytes(value.start);
    let is_zero = value.len() == 1 && integer(first) == Some(0);
    let is_float = value
        .clone()
        .any(|at| matches!(doc.bytes(at), b"_Float16" | b"float" | b"data"));
    is_zero || is_float || matches!(first, b"." | b"{")
}
