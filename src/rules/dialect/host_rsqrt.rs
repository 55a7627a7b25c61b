//! `rsqrt` and `rsqrtf` in host code.
//!
//! ## Why on AMD
//! nvcc's headers have them for the host as well. HIP has them for the device, and the C library has neither, so that host code does
//! not compile.
//!
//! ## Example
//! ```cuda
//! float scale(int n) { return rsqrtf(n); }
//! ```
//! becomes
//! ```hip
//! float scale(int n) { return (1.0f / sqrtf(n)); }
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! `math_functions.h` of CUDA 13.0; `__clang_hip_math.h` of clang 19.

use crate::cpp::declarations::is_statement_word;
use crate::cpp::names::{is_members_name, is_qualified};
use crate::rules::prelude::*;
use crate::syntax::Space;

/// Divides by the root.
pub static RULE: Rule = Rule {
    code: "CASS132",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    triggers: &[Trigger::Idents(&["rsqrtf", "rsqrt"])],
    check,
};

fn check(at: At<'_>, cx: &mut Context<'_, '_>) {
    let At::Ident(index) = at else { return };
    let doc = cx.doc;
    let mut functions = doc.scopes().around(index).peekable();
    let is_host =
        functions.peek().is_some() && functions.all(|function| function.space == Space::Host);
    let function = doc.scopes().enclosing(index);
    let may_be_generic = function.is_some_and(|function| {
        function.head.clone().any(|at| doc.is(at, "template")) || function.name.is_none()
    });
    let call = doc.call(index).filter(|call| call.arguments.len() == 1);
    if !is_host
        || may_be_generic
        || crate::analysis::warp_size::is_device(cx, index)
        || is_members_name(doc, index)
        || is_qualified(doc, index)
    {
        return;
    }
    // `inline float rsqrtf(float x)`: the project's own.
    let is_declared = doc
        .prev(index)
        .is_some_and(|at| doc.is_ident(at) && !is_statement_word(doc.bytes(at)));
    let Some(call) = call.filter(|_| !is_declared) else {
        return;
    };
    let (one, root) = if doc.is(index, "rsqrtf") {
        ("(1.0f / ", "sqrtf")
    } else {
        ("(1.0 / ", "sqrt")
    };
    let edits = vec![
        Edit::insert(cx.range(index).start, one),
        Edit::replace(cx.range(index), root),
        Edit::insert(cx.range(call.close).end, ")"),
    ];
    let message = format!("`{}` is for the device only in HIP", cx.text(index));
    cx.report(RULE.finding(cx.range(index), message).fix(Fix::safe(edits)));
}
