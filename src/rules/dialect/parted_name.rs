//! A name of CUDA that a backslash at the end of a line parts.
//!
//! ## Why on AMD
//! A compiler joins the lines before it reads words: `cuda\`, a new line and `Malloc` are `cudaMalloc`. Who looks for names finds none there,
//! and the call stays.
//!
//! ## Example
//! ```cuda
//! cuda\
//! Malloc(&p, size);
//! ```
//! becomes
//! ```hip
//! hipMalloc(&p, size);
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! C++, [lex.phases]: a backslash immediately in front of a new line is deleted with it.

use crate::rules::prelude::*;

/// Writes the name in one.
pub static RULE: Rule = Rule {
    code: "CASS712",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let parts = (1..doc.tokens.len()).filter(|&at| is_continued(doc, at - 1));
    let firsts: Vec<TokenIndex> = parts
        .map(|at| at - 1)
        .filter(|&first| first == 0 || !is_continued(doc, first - 1))
        .collect();
    for first in firsts {
        if let Some(finding) = finding(cx, first) {
            cx.report(finding);
        }
    }
}

fn finding(cx: &Context<'_, '_>, first: TokenIndex) -> Option<Finding> {
    let doc = cx.doc;
    let mut last = first;
    let mut name = doc.bytes(first).to_vec();
    while is_continued(doc, last) {
        last += 1;
        name.extend(doc.bytes(last));
    }
    let range = doc.range(first, last);
    let is_left = doc.vendor_at(range.start) != Vendor::Any || cx.is_inactive(range.start);
    cx.table().get(&name).filter(|_| !is_left)?;
    let name = String::from_utf8_lossy(&name).into_owned();
    let message = format!("`{name}` is parted by a backslash at the end of a line");
    let finding = RULE.finding(range, message);
    Some(finding.fix(Fix::safe(vec![Edit::replace(range, name)])))
}

/// Whether a word goes on in the next token, behind nothing but a backslash and the end of its line.
fn is_continued(doc: &Document<'_>, at: TokenIndex) -> bool {
    let (Some(token), Some(next)) = (doc.tokens.get(at), doc.tokens.get(at + 1)) else {
        return false;
    };
    let between = || doc.source.slice(TextRange::new(token.end(), next.start));
    let is_near = next.start > token.end() && next.start - token.end() <= 3;
    is_near
        && doc.is_ident(at)
        && matches!(next.kind, TokenKind::Ident | TokenKind::Number)
        && matches!(between(), b"\\\n" | b"\\\r\n")
}
