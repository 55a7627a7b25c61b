//! A macro that stands for a `#pragma`.
//!
//! ## Why on AMD
//! nvcc reads its own preprocessed text once more, and a line that begins with `#pragma` there is one, also where it came out of a
//! macro. clang, as the language says, takes it for a stray `#`.
//!
//! ## Example
//! ```cuda
//! #define UNROLL #pragma unroll
//! ```
//! becomes
//! ```hip
//! #define UNROLL _Pragma("unroll")
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! C++11, [cpp.pragma.op] and [cpp.rescan]; clang 19.

use crate::rules::prelude::*;

/// Writes the operator instead.
pub static RULE: Rule = Rule {
    code: "CASS123",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Directive(check)],
};

fn check(directive: &Directive, cx: &mut Context<'_, '_>) {
    let Some((pragma, content)) = pragma(cx.doc, directive) else {
        return;
    };
    let text = cx
        .text_of(content)
        .replace('\\', "\\\\")
        .replace('"', "\\\"");
    let finding = RULE.finding(
        pragma,
        "clang does not take a `#pragma` from a macro expansion",
    );
    let edit = Edit::replace(pragma, format!("_Pragma(\"{text}\")"));
    cx.report(finding.fix(Fix::safe(vec![edit])));
}

/// In `#define NAME #pragma …`: from the `#` on, and what stands behind `pragma`.
fn pragma(doc: &Document<'_>, directive: &Directive) -> Option<(TextRange, TextRange)> {
    let operands = directive.operands();
    let (hash, last) = (operands.start + 1, operands.end.checked_sub(1)?);
    let is_pragma = directive.defined_macro().is_some()
        && hash + 1 < last
        && doc.is(hash, "#")
        && doc.is(hash + 1, "pragma");
    // No pragma holds a statement, and one of assembly would be translated where it stands.
    let is_sound = is_pragma && !(hash..last).any(|at| doc.is(at, ";") || doc.is(at, "asm"));
    is_sound.then(|| (doc.range(hash, last), doc.range(hash + 2, last)))
}
