//! A keyword, attribute or pragma of nvcc that HIP code does not need.
//!
//! ## Why on AMD
//! `__grid_constant__` tells nvcc that a parameter is read in place. AMD's kernels read parameters in place anyhow and clang does not
//! know the word. `__device_builtin__` and its like are private marks of CUDA's own headers.
//!
//! `#pragma nv_diag_suppress`, `hd_warning_disable` and their like switch off warnings of nvcc. clang does not have these warnings and
//! warns that it does not know the pragma, which `-Werror` makes an error.
//!
//! ## Example
//! ```cuda
//! #pragma nv_exec_check_disable
//! __global__ void k(const __grid_constant__ Params p);
//! ```
//! becomes
//! ```hip
//! __global__ void k(const Params p);
//! ```
//! In a source that both vendors compile `__grid_constant__` becomes the macro `CASS_GRID_CONSTANT` of the helper header, so that a line
//! stays one line.
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! CUDA C++ programming guide, diagnostic pragmas. Compiled with clang 19 and the HIP 6.4 headers.

use crate::analysis::inline_asm::KEYWORDS;
use crate::cpp::deletion::{delete_lines, delete_word};
use crate::cpp::nvcc_pragmas::{is_guarded, is_nvcc_pragma, with_comment};
use crate::rules::prelude::*;
use crate::text::keywords::is_attribute;

/// Deletes the word, or the pragma's line.
pub static RULE: Rule = Rule {
    code: "CASS102",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::TookOver(&[("CASS114", "nvcc-pragma")])],
    checks: &[
        Check::Claimed(WORDS, check_word),
        Check::Directive(check_pragma),
    ],
};

const WORDS: &[&str] = &[
    "__grid_constant__",
    "__device_builtin__",
    "__device_builtin_surface_type__",
    "__device_builtin_texture_type__",
    "__cudart_builtin__",
];

/// What stands for the word in sources of both vendors.
const MARK: &str = "CASS_GRID_CONSTANT";

fn check_word(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let (doc, token) = (cx.doc, cx.doc.tokens[index]);
    let is_of_directive = token.has(flags::DIRECTIVE) && !token.has(flags::MACRO_BODY);
    // What follows elsewhere must not become a statement, a directive at the start of its line or part of what stands in front.
    let stands_alone = declares_behind(doc, index) && may_end_before(doc, index);
    if is_of_directive || !stands_alone || is_cut_or_joined(doc, index) {
        return;
    }
    let message = format!("`{}` is specific to nvcc", cx.text(index));
    let finding = RULE.finding(cx.range(index), message);
    if cx.is_torch() && cx.doc.is(index, "__grid_constant__") {
        let edit = Edit::replace(cx.range(index), MARK);
        cx.report(finding.helper(MARK).fix(Fix::safe(vec![edit])));
        return;
    }
    // The blanks between two of them belong to the first.
    let is_second = index > 0 && WORDS.iter().any(|word| doc.is_before(index, word));
    let edit = match is_second {
        true => Edit::delete(cx.range(index)),
        false => delete_word(doc, index),
    };
    cx.report(finding.fix(Fix::safe(vec![edit])));
}

/// Whether what stands behind a word is the rest of a declaration, or nothing: the end of a macro.
fn declares_behind(doc: &Document<'_>, index: TokenIndex) -> bool {
    let Some(next) = doc.next(index) else {
        return true;
    };
    let is_asm = KEYWORDS.iter().any(|asm| doc.is(next, asm));
    let is_used = ["=", ".", "->", "["]
        .iter()
        .any(|sign| doc.next_is(next, sign));
    let is_called = doc.next_is(next, "(") && !takes_parentheses(doc.bytes(next));
    doc.is(next, "::") || doc.is_ident(next) && !is_asm && !is_used && !is_called
}

/// Whether what stands in front of a word may be the end of something, or part of the declaration.
fn may_end_before(doc: &Document<'_>, index: TokenIndex) -> bool {
    const ENDS: [&str; 10] = [";", "{", "}", "(", ")", ",", "*", "&", ">", "]"];
    doc.prev(index).is_none_or(|prev| {
        let is_literal = matches!(doc.tokens[prev].kind, TokenKind::Str | TokenKind::RawStr);
        is_literal || doc.is_ident(prev) || ENDS.iter().any(|end| doc.is(prev, end))
    })
}

/// Whether a directive stands behind a word, so that it holds a declaration together, or a `#` of a macro, or a backslash in front of it,
/// which would reach the end of the line.
fn is_cut_or_joined(doc: &Document<'_>, index: TokenIndex) -> bool {
    let token = doc.tokens[index];
    let is_hash = doc.is(index + 1, "#") && !doc.tokens[index + 1].has(flags::LINE_START);
    let next = doc.tokens.get(index + 1);
    let is_cut =
        !token.has(flags::DIRECTIVE) && next.is_some_and(|next| next.has(flags::DIRECTIVE));
    is_cut || is_hash || doc.source.bytes[..token.start as usize].ends_with(b"\\")
}

/// Whether a word with parentheses stands in front of a name that is declared, and is no call.
fn takes_parentheses(word: &[u8]) -> bool {
    word.starts_with(b"__") || is_attribute(word)
}

fn check_pragma(directive: &Directive, cx: &mut Context<'_, '_>) {
    let Some(name) = directive.operands().next() else {
        return;
    };
    let is_pragma = directive.kind == DirectiveKind::Pragma;
    if is_pragma && is_nvcc_pragma(cx.doc, directive) && !is_guarded(cx.doc, directive) {
        let lines = delete_lines(cx.doc, with_comment(cx.doc, directive));
        let message = format!("`#pragma {}` is specific to nvcc", cx.text(name));
        let finding = RULE.finding(directive.range, message);
        cx.report(finding.fix(Fix::safe(vec![lines])));
    }
}
