//! `alignas`, or an attribute in `[[` and `]]`, behind `__shared__`.
//!
//! ## Why on AMD
//! In C++ both stand in front of a declaration or right behind the declared name. nvcc takes them behind `__shared__` and behind the type;
//! HIP's `__shared__` is an attribute in GNU's form, and clang says "an attribute list cannot appear here", or "'alignas' attribute cannot be
//! applied to types".
//!
//! ## Example
//! ```cuda
//! __shared__ alignas(16) float tile[256];
//! ```
//! becomes
//! ```hip
//! alignas(16) __shared__ float tile[256];
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! C++17 [dcl.dcl]; clang 19 with the HIP 6.4 headers beside nvcc 12.4, each place of a declaration compiled by both.

use std::ops::Range;

use crate::cpp::deletion::delete_words;
use crate::cpp::windows::DECLARATION;
use crate::rules::prelude::*;
use crate::text::keywords::{is_attribute, is_cv, is_specifier, is_storage};

/// Writes them in front.
pub static RULE: Rule = Rule {
    code: "CASS707",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Idents(&["__shared__"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let vendor = doc.vendor_at(doc.tokens[index].start);
    let misplaced = misplaced(doc, index);
    let (Some(first), Some(last)) = (misplaced.first(), misplaced.last()) else {
        return;
    };
    if vendor != Vendor::Any {
        return;
    }
    let texts: Vec<_> = misplaced
        .iter()
        .map(|it| cx.text_of(doc.range(it.start, it.end - 1)))
        .collect();
    let start = doc.range(start_of_declaration(doc, index), index).start;
    let mut edits = vec![Edit::insert(start, format!("{} ", texts.join(" ")))];
    edits.extend(
        misplaced
            .iter()
            .map(|it| delete_words(doc, it.start, it.end - 1)),
    );
    let range = doc.range(first.start, last.end - 1);
    let message = format!("`{}` does not compile in this place with clang", texts[0]);
    cx.report(RULE.finding(range, message).fix(Fix::safe(edits)));
}

/// The specifiers of a declaration with `__shared__` that clang refuses where they stand.
fn misplaced(doc: &Document<'_>, shared: TokenIndex) -> Vec<Range<TokenIndex>> {
    let mut found = Vec::new();
    let (mut at, mut is_behind_name) = (shared + 1, false);
    while at < (shared + DECLARATION).min(doc.tokens.len()) {
        let end = match doc.bytes(at) {
            b";" | b"=" | b"{" | b"}" | b"," | b")" | b"]" => break,
            b"alignas" => behind_bracket(doc, at + 1),
            // A dimension and an attribute begin alike.
            b"[" | b"(" => behind_bracket(doc, at),
            b"<" => doc.template_close(at).map(|close| close + 1),
            _ => Some(at + 1),
        };
        let Some(end) = end.filter(|&end| end > at) else {
            break;
        };
        let is_list = doc.is(at, "[") && doc.is(at + 1, "[");
        if doc.is(at, "alignas") || is_list {
            // Right behind the name it may stand; behind the dimensions it may not.
            let is_legal = is_behind_name && !doc.is_before(at, "]");
            if !is_legal {
                found.push(at..end);
            }
        } else {
            is_behind_name = is_name(doc, at, end) || is_behind_name && doc.is(at, "[");
        }
        at = end;
    }
    found
}

/// Whether a word is the declared name: dimensions, a value, or the end of the declaration follow, attributes apart.
fn is_name(doc: &Document<'_>, at: TokenIndex, end: TokenIndex) -> bool {
    let mut next = end;
    while doc.is(next, "alignas") {
        match behind_bracket(doc, next + 1) {
            Some(end) => next = end,
            None => return false,
        }
    }
    doc.is_ident(at) && matches!(doc.bytes(next), b"[" | b";" | b"=" | b"," | b"{")
}

/// The token behind what a bracket holds that opens at `at`.
fn behind_bracket(doc: &Document<'_>, at: TokenIndex) -> Option<TokenIndex> {
    let opens = doc.is(at, "(") || doc.is(at, "[");
    let close = doc.matching_bracket(at).filter(|_| opens)?;
    (close > at).then_some(close + 1)
}

/// The first word of the declaration that `__shared__` is in.
fn start_of_declaration(doc: &Document<'_>, shared: TokenIndex) -> TokenIndex {
    let mut first = shared;
    while let Some(before) = doc.prev(first).filter(|it| it + DECLARATION > shared) {
        let word = doc.bytes(before);
        let attribute = || {
            let open = doc.matching_bracket(before).filter(|_| word == b")")?;
            doc.prev(open)
                .filter(|_| open < before)
                .filter(|&it| is_attribute(doc.bytes(it)))
        };
        first = match attribute() {
            Some(name) => name,
            None if is_cv(word) || is_storage(word) || is_specifier(word) => before,
            None => break,
        };
    }
    first
}
