//! A name of CUDA that has no counterpart on AMD.
//!
//! ## Why on AMD
//! ROCm has no function, type or constant that does this. The code does not compile until it is replaced.
//!
//! ## Example
//! ```cuda
//! cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, launches);
//! ```
//!
//! ## When to ignore
//! In code that is never built for AMD; a guard such as `#ifndef __HIP_PLATFORM_AMD__` says so to the compiler as well.
//!
//! ## Source
//! The notes in `mappings/`.

use crate::analysis::conditions::verdict::is_left_out;
use crate::analysis::rename::is_asked_whether_defined;
use crate::cpp::names::{is_asked_for, is_members_name};
use crate::rules::prelude::*;
use crate::syntax::is_product_macro;

/// Reports table entries without target.
pub static RULE: Rule = Rule {
    code: "CASS003",
    severity: Severity::Error,
    fix: None,
    priority: 50,
    facts: &[Fact::Reversible, Fact::DoneByShim],
    checks: &[Check::Api(check)],
};

/// Whether a name that only its form gives away belongs to the project: the tree declares it, or a condition asks for it. Macros of
/// CUDA's headers that conditions ask for have rows of their own; `NVTX_RANGES` is what a build passes with `-D`.
fn is_projects(cx: &Context<'_, '_>, index: TokenIndex) -> bool {
    cx.project.names().declares(cx.doc.bytes(index)) || is_asked_for(cx.doc, index)
}

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let Some(hit) = cx.table().get_or_pattern(cx.doc.bytes(index)) else {
        return;
    };
    let entry = hit.entry;
    let is_gone = is_asked_whether_defined(cx.doc, index, entry);
    if !is_gone && entry.support_under(&cx.options().choices) != Support::Unsupported
        || entry.kind == Kind::Namespace
        || entry.kind == Kind::Pattern && is_projects(cx, index)
        || is_members_name(cx.doc, index)
        || is_product_macro(cx.doc.bytes(index)) && is_asked_for(cx.doc, index)
        || crate::analysis::error_case::speaks_of(cx, index)
    {
        return;
    }
    let side = if cx.table().is_reversed() {
        "in CUDA"
    } else {
        "on AMD"
    };
    let message = format!("`{}` has no counterpart {side}", cx.text(index));
    let finding = RULE
        .finding(cx.range(index), message)
        .help(match is_gone {
            true => {
                "nothing defines it on AMD: ask for what is meant, such as `__HIP_PLATFORM_AMD__`"
            }
            false => entry.note.unwrap_or_default(),
        })
        .api(cx.api_use(entry, None));
    let is_left_out = is_left_out(cx, cx.range(index).start);
    let severity = match switched(cx, index, is_gone) {
        _ if is_left_out => Severity::Info,
        Some(severity) => severity,
        None => RULE.severity,
    };
    cx.report(finding.severity(severity));
}

/// How loud a place is that is about a switch by which parts of CUDA's headers are left out, `__CUDA_NO_HALF2_OPERATORS__`, or about a
/// macro that stands for nothing on AMD. AMD's headers do not know it: to unset it does no harm, and where it is set the parts are there
/// all the same.
fn switched(cx: &Context<'_, '_>, index: TokenIndex, is_gone: bool) -> Option<Severity> {
    let name = cx.doc.bytes(index);
    let at = cx.doc.directive_of(index)?;
    if !is_gone && !name.starts_with(b"__CUDA_NO_") && !name.starts_with(b"CUDA_NO_") {
        return None;
    }
    let directive = &cx.doc.directives[at];
    if directive.defined_macro() == Some(index) {
        return Some(Severity::Warning);
    }
    let is_unset = directive.changed_macro() == Some(index);
    (is_unset || cx.doc.only_unsets(at)).then_some(Severity::Info)
}
