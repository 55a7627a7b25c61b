//! The storage class `register`.
//!
//! ## Why on AMD
//! C++17 has removed it, and clang compiles HIP as C++17: "ISO C++17 does not allow 'register' storage class specifier". It never had an
//! effect on device code.
//!
//! ## Example
//! ```cuda
//! register float sum = 0.0f;
//! ```
//! becomes
//! ```hip
//! float sum = 0.0f;
//! ```
//!
//! ## When to ignore
//! In code that only a C compiler reads.
//!
//! ## Source
//! C++17, Annex C; clang 19.

use crate::cpp::deletion::delete_word;
use crate::cpp::windows::DECLARATION;
use crate::rules::prelude::*;
use crate::text::keywords::{is_cv, is_specifier};

/// Deletes the word from declarations.
pub static RULE: Rule = Rule {
    code: "CASS101",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Idents(&["register"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let declares = cx.doc.next(index).is_some_and(|next| cx.doc.is_ident(next));
    let starts = cx.doc.prev(index).is_none_or(|prev| {
        let word = cx.doc.bytes(prev);
        is_cv(word)
            || is_specifier(word)
            || matches!(word, b";" | b"{" | b"}" | b"(" | b")" | b"," | b":")
    });
    if cx.doc.source.path.ends_with(".c") || !declares || !starts || names_a_register(cx, index) {
        return;
    }
    let finding = RULE
        .finding(cx.range(index), "C++17 has no `register`")
        .fix(Fix::safe(vec![delete_word(cx.doc, index)]));
    cx.report(finding);
}

/// `register long sp asm("rsp");` is an extension of its own and keeps the word.
fn names_a_register(cx: &Context<'_, '_>, index: TokenIndex) -> bool {
    (index..cx.doc.tokens.len())
        .take(DECLARATION)
        .take_while(|&at| !matches!(cx.doc.bytes(at), b";" | b"=" | b"," | b")" | b"{"))
        .any(|at| matches!(cx.doc.bytes(at), b"asm" | b"__asm__" | b"__asm"))
}
