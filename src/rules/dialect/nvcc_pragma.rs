//! A pragma that only nvcc reads.
//!
//! ## Why on AMD
//! `#pragma nv_diag_suppress`, `hd_warning_disable` and their like switch off warnings of nvcc. clang does not have these warnings and
//! warns that it does not know the pragma, which `-Werror` makes an error.
//!
//! ## Example
//! ```cuda
//! #pragma nv_exec_check_disable
//! template <class F> __host__ __device__ void call(F f) { f(); }
//! ```
//! becomes
//! ```hip
//! template <class F> __host__ __device__ void call(F f) { f(); }
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! CUDA C++ programming guide, diagnostic pragmas.

use crate::cpp::deletion::delete_lines;
use crate::cpp::guarding::conditions;
use crate::cpp::nvcc_pragmas::{is_nvcc_pragma, with_comment};
use crate::rules::prelude::*;

/// Deletes the pragma's line.
pub static RULE: Rule = Rule {
    code: "CASS114",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::Directive(check)],
};

fn check(directive: &Directive, cx: &mut Context<'_, '_>) {
    if directive.kind != DirectiveKind::Pragma {
        return;
    }
    let Some(name) = directive.operands().next() else {
        return;
    };
    if is_nvcc_pragma(cx.doc, directive) && !is_only_content(cx, directive) {
        let lines = delete_lines(cx.doc, with_comment(cx.doc, directive));
        let finding = RULE
            .finding(
                directive.range,
                format!("`#pragma {}` is specific to nvcc", cx.text(name)),
            )
            .fix(Fix::safe(vec![lines]));
        cx.report(finding);
    }
}

/// Whether a condition about nvcc guards the pragma: then AMD never sees it.
fn is_only_content(cx: &Context<'_, '_>, directive: &Directive) -> bool {
    // No rule makes AMD define this one.
    const ASKED: [&str; 2] = [
        "# ifdef __NVCC_DIAG_PRAGMA_SUPPORT__",
        "# if defined ( __NVCC_DIAG_PRAGMA_SUPPORT__ )",
    ];
    let around = conditions(cx.doc, directive.range.start);
    if around.iter().any(|it| ASKED.contains(&it.as_str())) {
        return true;
    }
    let before = cx.doc.directives.iter().rev().find(|other| {
        other.range.start < directive.range.start && other.kind != DirectiveKind::Pragma
    });
    before.is_some_and(|guard| {
        matches!(
            guard.kind,
            DirectiveKind::If | DirectiveKind::Ifdef | DirectiveKind::Elif
        ) && guard.operands().any(|at| {
            matches!(
                cx.doc.bytes(at),
                b"__NVCC_DIAG_PRAGMA_SUPPORT__" | b"__NVCC__" | b"__CUDACC__"
            )
        })
    })
}
