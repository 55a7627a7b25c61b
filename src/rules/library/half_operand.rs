//! Arithmetic or a comparison between a half or bfloat16 and another number.
//!
//! ## Why on AMD
//! `h * 2.0f` could be the `*` of halves, with the number made a half, or the `*` of floats, with the half made a float. HIP declares
//! the operators of halves for host and device in every build, so clang refuses to choose. CUDA compiles it where its own operators
//! are not declared: for older architectures and with `__CUDA_NO_HALF_OPERATORS__`. It is then a product of floats.
//!
//! ## Example
//! ```cuda
//! float y = h * 2.0f;
//! bool positive = h > 0;
//! ```
//! becomes
//! ```hip
//! float y = __half2float(h) * 2.0f;
//! bool positive = __half2float(h) > 0;
//! ```
//!
//! ## When to ignore
//! Never; operands whose types are not in sight are left alone.
//!
//! ## Source
//! clang 19 with `hip/amd_detail/amd_hip_fp16.h` and `amd_hip_bf16.h` of ROCm 6.4: "use of overloaded operator '*' is ambiguous".

use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::cpp::declarations::declared;
use crate::cpp::operators::{before, left_operand, right_operand};
use crate::cpp::short_floats::{Format, short_float};
use crate::cpp::windows::DECLARATION;
use crate::rules::prelude::*;
use crate::text::keywords::is_qualifier;

/// Makes the half a float.
pub static RULE: Rule = Rule {
    code: "CASS512",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 60,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let names = operands_of_halves(doc);
    if names.is_empty() {
        return;
    }
    for sign in 1..doc.tokens.len() {
        if matches!(doc.bytes(sign), b"*" | b"/" | b"+" | b"-") || is_comparison(doc, sign) {
            check_sign(cx, sign, &names);
        }
    }
}

/// Names in the statements that name a half's type: what is declared as one is among them. Looking for the declaration of every
/// operand took 5 s for a header of 2.4 MB that has a variable `half`.
fn operands_of_halves<'s>(doc: &Document<'s>) -> FxHashSet<&'s [u8]> {
    let rest = |at: TokenIndex| (at + 1..doc.tokens.len()).take(DECLARATION);
    let types = doc.all_that(|word| to_float(word).is_some());
    types
        .into_iter()
        .flat_map(|at| rest(at).take_while(|&at| !matches!(doc.bytes(at), b";" | b"{" | b"}")))
        .filter(|&at| doc.is_ident(at))
        .map(|at| doc.bytes(at))
        .collect()
}

fn check_sign(cx: &mut Context<'_, '_>, sign: TokenIndex, names: &FxHashSet<&[u8]>) {
    let Some((left, right)) = operands(cx.doc, sign) else {
        return;
    };
    let may_be_half = |tokens: &Range<TokenIndex>| names.contains(cx.doc.bytes(tokens.start));
    if !may_be_half(&left) && !may_be_half(&right) {
        return;
    }
    let kinds = [left.clone(), right.clone()].map(|tokens| kind(cx.doc, tokens));
    let (half, function) = match kinds {
        [Some(Kind::Half(function)), Some(Kind::Number)] => (left, function),
        [Some(Kind::Number), Some(Kind::Half(function))] => (right, function),
        _ => return,
    };
    let range = cx.doc.range(half.start, half.end - 1);
    let message = format!(
        "`{}` of a half and another arithmetic type is ambiguous in HIP",
        cx.text(sign)
    );
    let finding = RULE.finding(cx.range(sign), message).fix(Fix::safe(vec![
        Edit::insert(range.start, format!("{function}(")),
        Edit::insert(range.end, ")"),
    ]));
    cx.report(finding);
}

/// Whether a sign compares, and is no bracket of a template: there is no other bracket in the same expression.
fn is_comparison(doc: &Document<'_>, sign: TokenIndex) -> bool {
    match doc.bytes(sign) {
        b"==" | b"!=" | b">=" | b"<=" => true,
        b">" => !expression((0..sign).rev(), doc).any(|at| doc.is(at, "<")),
        b"<" => !expression(sign + 1..doc.tokens.len(), doc).any(|at| doc.is(at, ">")),
        _ => false,
    }
}

/// The tokens of a way through the file up to where an expression ends that stands in no list of template arguments.
fn expression(
    way: impl Iterator<Item = TokenIndex>,
    doc: &Document<'_>,
) -> impl Iterator<Item = TokenIndex> {
    const ENDS: &[&str] = &[";", "{", "}", "(", ")", "=", "?", "&&", "||"];
    way.take(DECLARATION)
        .take_while(|&at| !ENDS.iter().any(|end| doc.is(at, end)))
}

/// What an operand is known to be.
#[derive(Clone, Copy)]
enum Kind {
    /// A half, and the function that makes it a float.
    Half(&'static str),
    /// A number of a built-in type.
    Number,
}

/// The operands of a binary operator, if both are single names, elements or numbers that nothing binds more strongly.
fn operands(
    doc: &Document<'_>,
    sign: TokenIndex,
) -> Option<(Range<TokenIndex>, Range<TokenIndex>)> {
    let operator = before(doc, doc.next(sign)?).filter(|it| it.tokens == (sign..sign + 1))?;
    let left = left_operand(doc, sign, operator.level)?;
    let right = right_operand(doc, sign + 1, operator.level)?;
    // Where the text ends more of the operand may follow: a piece of a file.
    let is_whole = right.end < doc.tokens.len();
    Some((single(doc, left)?, single(doc, right)?)).filter(|_| is_whole)
}

/// A name, an element of an array or a number, without the signs in front of it.
fn single(doc: &Document<'_>, mut tokens: Range<TokenIndex>) -> Option<Range<TokenIndex>> {
    while matches!(doc.bytes(tokens.start), b"-" | b"+") {
        tokens.start += 1;
    }
    let is_element = doc.is_ident(tokens.start)
        && doc.is(tokens.start + 1, "[")
        && doc.matching_bracket(tokens.start + 1) == tokens.end.checked_sub(1);
    (tokens.len() == 1 || is_element).then_some(tokens)
}

fn kind(doc: &Document<'_>, tokens: Range<TokenIndex>) -> Option<Kind> {
    let first = tokens.start;
    if doc.tokens[first].kind == TokenKind::Number {
        return Some(Kind::Number);
    }
    let found = declared(doc, first).filter(|_| doc.is_ident(first))?;
    if found.pointers != usize::from(tokens.len() > 1) {
        return None;
    }
    let words: Vec<&[u8]> = found
        .words
        .iter()
        .copied()
        .filter(|word| !is_qualifier(word))
        .collect();
    if let [word] = words[..]
        && let Some(function) = to_float(word)
    {
        return Some(Kind::Half(function));
    }
    let is_number = !words.is_empty() && words.iter().all(|word| NUMBERS.contains(word));
    is_number.then_some(Kind::Number)
}

/// Words of the built-in types of numbers.
const NUMBERS: &[&[u8]] = &[
    b"bool",
    b"char",
    b"double",
    b"float",
    b"int",
    b"long",
    b"short",
    b"signed",
    b"size_t",
    b"unsigned",
];

/// The function that turns a type of 16 bits into a float.
fn to_float(word: &[u8]) -> Option<&'static str> {
    let ty = short_float(word).filter(|ty| ty.lanes == 1)?;
    Some(match ty.format {
        Format::Half => "__half2float",
        Format::Bfloat16 => "__bfloat162float",
    })
}
