//! A macro directly behind a string literal, read as its user-defined suffix.
//!
//! ## Why on AMD
//! C++11 takes a word that touches a closing quote as a literal's suffix. nvcc's host compiler only warns where the word is a macro;
//! clang, which compiles HIP, has an error: "invalid suffix on literal; C++11 requires a space between literal and identifier", and
//! for `extern "C"__global__` one about a user-defined suffix.
//!
//! ## Example
//! ```cuda
//! printf("%"PRIu64" bytes\n", bytes);
//! ```
//! becomes
//! ```hip
//! printf("%" PRIu64" bytes\n", bytes);
//! ```
//!
//! ## When to ignore
//! In code that only a C compiler reads.
//!
//! ## Source
//! C++11, [lex.ext]; clang 19, `-Wreserved-user-defined-literal`, an error by default.

use crate::rules::prelude::*;

/// Puts a space between the literal and the macro.
pub static RULE: Rule = Rule {
    code: "CASS117",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    if cx.doc.source.path.ends_with(".c") {
        return;
    }
    let doc = cx.doc;
    for (before, pair) in doc.tokens.windows(2).enumerate() {
        if is_literal(pair[0].kind)
            && pair[1].kind == TokenKind::Ident
            && !pair[1].has(flags::SPACE_BEFORE)
            && !doc.bytes(before + 1).starts_with(b"cass_")
            && !is_in_expression(doc, before)
            && (is_macros_name(doc.bytes(before + 1)) || is_defined(cx, before + 1))
        {
            report(cx, before + 1);
        }
    }
}

fn report(cx: &mut Context<'_, '_>, index: TokenIndex) {
    let range = cx.range(index);
    let message = format!(
        "`{}` directly behind a string literal is a user-defined literal suffix in C++11",
        cx.text(index)
    );
    let space = Edit::insert(range.start, " ");
    cx.report(RULE.finding(range, message).fix(Fix::safe(vec![space])));
}

/// Whether a string or one just before it ends where an expression of a template begins, in a source that Jinja writes:
/// `"size={{ "S" if small else "L" }}"`.
fn is_in_expression(doc: &Document<'_>, literal: TokenIndex) -> bool {
    // Such an expression chooses between two texts.
    let nearest = literal.saturating_sub(8)..=literal;
    let opens = |at: TokenIndex| {
        let text = doc.bytes(at).strip_suffix(b"\"");
        text.is_some_and(|text| text.trim_ascii_end().ends_with(b"{{"))
    };
    nearest.rev().any(opens)
}

fn is_literal(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Str | TokenKind::RawStr | TokenKind::Char)
}

/// Whether the file defines a macro of the word's name, whatever its case.
fn is_defined(cx: &Context<'_, '_>, index: TokenIndex) -> bool {
    let mut uses = cx.doc.occurrences(cx.doc.bytes(index), 0..index);
    uses.any(|at| cx.doc.is_before(at, "define"))
}

/// Suffixes of the standard library are in lower case (`"text"sv`), and those of a project start with one underscore. `__hip_bfloat16`
/// and its like are types.
fn is_macros_name(word: &[u8]) -> bool {
    (word.starts_with(b"__") && !word.starts_with(b"__hip_"))
        || word.first().is_some_and(u8::is_ascii_uppercase)
}
