//! A declaration of `threadIdx` or the like, for editors and compilers that do not know them.
//!
//! ## Why on AMD
//! For the host CUDA's headers do not declare these variables in every build, so that programs do it themselves. HIP's runtime header
//! declares them for host and device alike, with types of their own: a second declaration is an error.
//!
//! ## Example
//! ```cuda
//! extern const uint3 threadIdx;
//! extern const dim3 blockDim;
//! int n;
//! ```
//! becomes
//! ```hip
//! int n;
//! ```
//!
//! ## When to ignore
//! Where a build without HIP's headers reads the declaration.
//!
//! ## Source
//! `hip/amd_detail/amd_hip_runtime.h` of ROCm 6.4, compiled with clang 19.

use std::ops::Range;

use crate::cpp::deletion::delete_lines;
use crate::rules::prelude::*;

/// Deletes the declaration.
pub static RULE: Rule = Rule {
    code: "CASS122",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 10,
    facts: &[],
    checks: &[Check::Idents(NAMES, check)],
};

const NAMES: &[&str] = &["threadIdx", "blockIdx", "blockDim", "gridDim"];

fn check(name: TokenIndex, cx: &mut Context<'_, '_>) {
    let Some(declaration) = declaration(cx.doc, name) else {
        return;
    };
    let message = format!("HIP's runtime header declares `{}` itself", cx.text(name));
    let finding = RULE.finding(cx.range(name), message);
    let is_listed = |name: TokenIndex| {
        let next = cx.doc.next(name).map(|next| cx.doc.bytes(next));
        matches!(next, Some(b"," | b";")) && !NAMES.contains(&&*cx.text(name))
    };
    cx.report(if declaration.clone().any(is_listed) {
        finding
            .severity(Severity::Error)
            .help("remove the name from the declaration")
    } else {
        let whole = cx.doc.range(declaration.start, declaration.end);
        finding.fix(Fix::safe(vec![delete_lines(cx.doc, whole)]))
    });
}

/// The tokens of `extern const uint3 name, other;` up to the semicolon.
fn declaration(doc: &Document<'_>, name: TokenIndex) -> Option<Range<TokenIndex>> {
    let belongs = |at: TokenIndex| {
        (doc.is_ident(at) || doc.is(at, ",")) && !doc.tokens[at].has(flags::DIRECTIVE)
    };
    if !belongs(name) {
        return None;
    }
    let first = (0..name).rev().take_while(|&at| belongs(at)).last()?;
    let end = (name..doc.tokens.len()).find(|&at| !belongs(at))?;
    (doc.is(first, "extern") && doc.is(end, ";")).then_some(first..end)
}
