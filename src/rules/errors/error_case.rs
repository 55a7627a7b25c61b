//! A `case` of an error code that HIP lacks, or that HIP has once where CUDA has two.
//!
//! ## Why on AMD
//! A `switch` over error codes names codes that `hipError_t` does not have, or two that become the same: both are errors. A function
//! that AMD's runtime implements never returns the missing code, so the label can go.
//!
//! ## Example
//! ```cuda
//! case cudaErrorMisalignedAddress: return "misaligned address";
//! case cudaErrorInvalidValue: return "invalid value";
//! ```
//! becomes
//! ```hip
//! case hipErrorInvalidValue: return "invalid value";
//! ```
//!
//! A table of names (`return "text";` behind the label) loses the row without a warning.
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! `hip/hip_runtime_api.h` of ROCm 6.4.

use crate::analysis::error_case::{enumerator, label, target_of};
use crate::cpp::deletion::delete_lines;
use crate::rules::prelude::*;
use crate::text::keywords::is_jump;

/// Deletes the label with its statement, or the label alone where others share the statement.
pub static RULE: Rule = Rule {
    code: "CASS606",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 10,
    facts: &[],
    checks: &[Check::Idents(&["case"], check)],
};

fn check(case: TokenIndex, cx: &mut Context<'_, '_>) {
    let Some((name, colon)) = label(cx.doc, case) else {
        return;
    };
    let Some(entry) = enumerator(cx, name) else {
        return;
    };
    let target = target_of(cx, entry);
    let reason = match target {
        None => format!("HIP has no error code like `{}`", cx.text(name)),
        Some(target) if repeats(cx, case, target) => {
            format!(
                "`{}` becomes `{target}`, which has a case already",
                cx.text(name)
            )
        }
        Some(_) => return,
    };
    let finding = RULE
        .finding(cx.range(name), reason)
        .api(cx.api_use(entry, target));
    cx.report(match removable(cx.doc, case, colon) {
        // A table of names loses a row that AMD's runtime never asks for.
        Some(range) if is_name_alone(cx.doc, colon) => finding
            .severity(Severity::Info)
            .fix(Fix::review(vec![delete_lines(cx.doc, range)])),
        Some(range) => finding
            .help("the case is deleted: AMD's runtime returns no such error code")
            .fix(Fix::review(vec![delete_lines(cx.doc, range)])),
        None => finding
            .severity(Severity::Error)
            .help("delete the label, or merge its statements into the case that has the same code"),
    });
}

/// Whether nothing stands behind a label but `return "text";`.
fn is_name_alone(doc: &Document<'_>, colon: TokenIndex) -> bool {
    let behind = [colon + 1, colon + 2, colon + 3];
    let [first, text, last] = behind;
    let is_text = doc
        .tokens
        .get(text)
        .is_some_and(|it| it.kind == TokenKind::Str);
    doc.is(first, "return") && is_text && doc.is(last, ";")
}

/// Whether an earlier case of the same `switch` becomes the same code.
fn repeats(cx: &Context<'_, '_>, case: TokenIndex, target: &str) -> bool {
    let mut at = case;
    while let Some(before) = cx.doc.prev(at) {
        at = before;
        match cx.doc.bytes(at) {
            b"}" | b")" => at = cx.doc.matching_bracket(at).unwrap_or(at),
            b"{" => return false,
            b"case" => {
                let same = label(cx.doc, at)
                    .and_then(|(name, _)| enumerator(cx, name))
                    .and_then(|entry| target_of(cx, entry))
                    == Some(target);
                if same {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// The bytes of a label whose deletion changes no other case: the label alone before another label, or with statements that end in
/// `return`, `break` or the like, where the code in front does not fall through into it.
fn removable(doc: &Document<'_>, case: TokenIndex, colon: TokenIndex) -> Option<TextRange> {
    let behind = doc.next(colon)?;
    if matches!(doc.bytes(behind), b"case" | b"default") {
        return Some(doc.range(case, colon));
    }
    let before = doc.prev(case)?;
    let own_statement = match doc.bytes(before) {
        b"{" => true,
        b";" => leaves(doc, before),
        _ => false,
    };
    if !own_statement {
        // Another label shares the statements behind: they stay with it.
        return ends_a_label(doc, before).then(|| doc.range(case, colon));
    }
    let mut at = behind;
    loop {
        match doc.bytes(at) {
            b";" if leaves(doc, at) => return Some(doc.range(case, at)),
            b"case" | b"default" | b"}" => return None,
            b"{" | b"(" => at = doc.matching_bracket(at)?,
            _ => {}
        }
        at = doc.next(at)?;
    }
}

/// Whether this token is the `:` of `case …:` or `default:`; behind any other colon stand statements that are not shared.
fn ends_a_label(doc: &Document<'_>, colon: TokenIndex) -> bool {
    let mut at = colon;
    while let Some(before) = doc.prev(at).filter(|_| doc.is(colon, ":")) {
        match doc.bytes(before) {
            b"case" | b"default" => return true,
            b";" | b"{" | b"}" | b":" => return false,
            _ => at = before,
        }
    }
    false
}

/// Whether the statement that ends with this `;` is `return …;`, `break;`, `throw …;` or `continue;`.
fn leaves(doc: &Document<'_>, semicolon: TokenIndex) -> bool {
    let mut at = semicolon;
    while let Some(before) = doc.prev(at) {
        if matches!(doc.bytes(before), b";" | b"{" | b"}" | b":") && !doc.is_before(before, ":") {
            break;
        }
        at = match doc.bytes(before) {
            b")" | b"]" => doc.matching_bracket(before).unwrap_or(before),
            _ => before,
        };
    }
    is_jump(doc.bytes(at))
}
