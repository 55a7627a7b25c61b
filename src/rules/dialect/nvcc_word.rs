//! A keyword or attribute of nvcc that HIP code does not need.
//!
//! ## Why on AMD
//! `__grid_constant__` tells nvcc that a parameter is read in place. AMD's kernels read parameters in place anyhow and clang does not
//! know the word. `__device_builtin__` and its like are private marks of CUDA's own headers.
//!
//! ## Example
//! ```cuda
//! __global__ void k(const __grid_constant__ Params p);
//! ```
//! becomes
//! ```hip
//! __global__ void k(const Params p);
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! Compiled with clang 19 and the HIP 6.4 headers.

use crate::analysis::inline_asm::KEYWORDS;
use crate::cpp::deletion::delete_word;
use crate::rules::prelude::*;
use crate::text::keywords::is_attribute;

/// Deletes the word.
pub static RULE: Rule = Rule {
    code: "CASS102",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::Claimed(WORDS, check)],
};

const WORDS: &[&str] = &[
    "__grid_constant__",
    "__device_builtin__",
    "__device_builtin_surface_type__",
    "__device_builtin_texture_type__",
    "__cudart_builtin__",
];

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let token = cx.doc.tokens[index];
    let name = cx.text(index);
    if token.has(flags::DIRECTIVE) && !token.has(flags::MACRO_BODY) {
        return;
    }
    // Only within a declaration, and at the end of a macro: what follows elsewhere must not become a statement, a directive at the
    // start of its line or part of what stands in front. A backslash there would reach the end of the line.
    let declares = cx.doc.next(index).is_none_or(|next| {
        cx.doc.is(next, "::")
            || cx.doc.is_ident(next)
                && !KEYWORDS.iter().any(|asm| cx.doc.is(next, asm))
                && !["=", ".", "->", "["]
                    .iter()
                    .any(|sign| cx.doc.next_is(next, sign))
                && (!cx.doc.next_is(next, "(") || takes_parentheses(cx.doc.bytes(next)))
    });
    // An include behind it stands in the middle of a declaration as long as the word does.
    let is_cut = !token.has(flags::DIRECTIVE)
        && cx
            .doc
            .tokens
            .get(index + 1)
            .is_some_and(|next| next.has(flags::DIRECTIVE));
    let is_hash = cx.doc.is(index + 1, "#") && !cx.doc.tokens[index + 1].has(flags::LINE_START);
    let is_escaped = cx.doc.source.bytes[..token.start as usize].ends_with(b"\\");
    let follows = cx.doc.prev(index).is_none_or(|prev| {
        let ends = [";", "{", "}", "(", ")", ",", "*", "&", ">", "]"];
        let is_literal = matches!(cx.doc.tokens[prev].kind, TokenKind::Str | TokenKind::RawStr);
        is_literal || cx.doc.is_ident(prev) || ends.iter().any(|end| cx.doc.is(prev, end))
    });
    if !declares || !follows || is_cut || is_hash || is_escaped {
        return;
    }
    // The blanks between two of them belong to the first.
    let is_second = index > 0 && WORDS.iter().any(|word| cx.doc.is_before(index, word));
    let edit = if is_second {
        Edit::delete(cx.range(index))
    } else {
        delete_word(cx.doc, index)
    };
    let finding = RULE
        .finding(cx.range(index), format!("`{name}` is specific to nvcc"))
        .fix(Fix::safe(vec![edit]));
    cx.report(finding);
}

/// Whether a word with parentheses stands in front of a name that is declared, and is no call.
fn takes_parentheses(word: &[u8]) -> bool {
    word.starts_with(b"__") || is_attribute(word)
}
