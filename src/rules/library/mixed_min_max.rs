//! `min` or `max` of a signed and an unsigned integer, which HIP computes in floating point.
//!
//! ## Why on AMD
//! CUDA has overloads of `min` and `max` for an `int` with an `unsigned int` (and for the 64-bit pair) that convert both to
//! unsigned. HIP has none: two different integer types select the overload for `double`. The result is then a `double`, which
//! cannot index an array, and which loses the low bits of 64-bit numbers without a word. With both arguments of one type HIP does
//! what CUDA does.
//!
//! ## Example
//! ```cuda
//! x[min(n - 1, i + blockDim.x)]
//! ```
//! becomes
//! ```hip
//! x[min((unsigned int)(n - 1), i + blockDim.x)]
//! ```
//!
//! ## When to ignore
//! Never; arguments whose types are not in sight are left alone.
//!
//! ## Source
//! `__clang_hip_cmath.h` of clang 19 (`__HIP_OVERLOAD2(double, min)`), compiled with HIP 6.4; CUDA's `math_functions.hpp`.

use std::ops::Range;

use crate::cpp::declarations::declared;
use crate::rules::prelude::*;
use crate::text::keywords::is_qualifier;
use crate::text::number;

/// Converts the signed argument as CUDA does.
pub static RULE: Rule = Rule {
    code: "CASS511",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 45,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Idents(&["min", "max"], check)],
};

/// Integer types as arithmetic leaves them, in the order in which one of two operands wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Integer {
    Int,
    Unsigned,
    LongLong,
    UnsignedLongLong,
}

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    if ["::", ".", "->"]
        .iter()
        .any(|text| doc.prev_is(index, text))
        || is_defined(doc, index)
    {
        return;
    }
    let Some(call) = doc.call(index).filter(|call| {
        call.arguments.len() == 2 && call.template_arguments.is_none() && !call.split_by_directive
    }) else {
        return;
    };
    let types = [0, 1].map(|index| type_of(doc, call.arguments[index].clone()));
    let (signed, ty) = match types {
        [Some(Integer::Int), Some(Integer::Unsigned)] => (0, "unsigned int"),
        [Some(Integer::Unsigned), Some(Integer::Int)] => (1, "unsigned int"),
        [Some(Integer::LongLong), Some(Integer::UnsignedLongLong)] => (0, "unsigned long long"),
        [Some(Integer::UnsignedLongLong), Some(Integer::LongLong)] => (1, "unsigned long long"),
        _ => return,
    };
    let message = format!(
        "HIP computes `{}` of a signed and an unsigned integer as `double`",
        cx.text(index)
    );
    let finding = RULE
        .finding(cx.range(index), message)
        .fix(Fix::safe(conversion(doc, &call.arguments[signed], ty)));
    cx.report(finding);
}

fn conversion(doc: &Document<'_>, argument: &Range<TokenIndex>, ty: &str) -> Vec<Edit> {
    let range = doc.range(argument.start, argument.end - 1);
    if argument.len() == 1 {
        return vec![Edit::insert(range.start, format!("({ty})"))];
    }
    vec![
        Edit::insert(range.start, format!("({ty})(")),
        Edit::insert(range.end, ")"),
    ]
}

/// Whether the file has a function or macro of that name itself.
fn is_defined(doc: &Document<'_>, index: TokenIndex) -> bool {
    let word = doc.bytes(index);
    let is_it = |at: TokenIndex| doc.is_ident(at) && doc.bytes(at) == word;
    let by_macro = doc.macros_called(word).next().is_some();
    by_macro
        || doc
            .scopes()
            .iter()
            .any(|function| function.name.is_some_and(is_it))
}

/// The type of an expression of known operands, joined by arithmetic; `None` as soon as anything else is in it.
fn type_of(doc: &Document<'_>, tokens: Range<TokenIndex>) -> Option<Integer> {
    let mut widest: Option<Integer> = None;
    let (mut at, mut operand_wanted) = (tokens.start, true);
    while at < tokens.end {
        if operand_wanted && matches!(doc.bytes(at), b"-" | b"+") {
            at += 1;
            continue;
        }
        if !operand_wanted {
            if !matches!(
                doc.bytes(at),
                b"+" | b"-" | b"*" | b"/" | b"%" | b"&" | b"|" | b"^"
            ) {
                return None;
            }
            (at, operand_wanted) = (at + 1, true);
            continue;
        }
        let (ty, next) = operand(doc, at, tokens.end)?;
        widest = widest.max(Some(ty));
        (at, operand_wanted) = (next, false);
    }
    widest.filter(|_| !operand_wanted)
}

/// The type of the operand at `at`, and the token behind it.
fn operand(doc: &Document<'_>, at: TokenIndex, end: TokenIndex) -> Option<(Integer, TokenIndex)> {
    if doc.is(at, "(") {
        let close = doc.matching_bracket(at).filter(|&close| close < end)?;
        if let Some(ty) = named(&words(doc, at + 1..close)) {
            // A cast decides, if what it is in front of can be read at all.
            return Some((ty, operand(doc, close + 1, end)?.1));
        }
        return Some((type_of(doc, at + 1..close)?, close + 1));
    }
    match doc.tokens[at].kind {
        TokenKind::Number => Some((literal_type(doc.bytes(at))?, at + 1)),
        TokenKind::Ident => variable(doc, at, end),
        _ => None,
    }
}

fn variable(doc: &Document<'_>, at: TokenIndex, end: TokenIndex) -> Option<(Integer, TokenIndex)> {
    let is_coordinate = matches!(
        doc.bytes(at),
        b"threadIdx" | b"blockIdx" | b"blockDim" | b"gridDim"
    );
    if is_coordinate && doc.is(at + 1, ".") {
        return Some((Integer::Unsigned, at + 3));
    }
    let (pointers, next) = match doc.matching_bracket(at + 1) {
        Some(close) if doc.is(at + 1, "[") && close < end => (1, close + 1),
        _ => (0, at + 1),
    };
    let is_alone =
        next == end || !matches!(doc.bytes(next), b"(" | b"." | b"->" | b"[" | b"::" | b"<");
    if next == at + 1
        && let Some(ty) = macro_type(doc, doc.bytes(at))
    {
        return Some((ty, next));
    }
    let declared = declared(doc, at).filter(|found| is_alone && found.pointers == pointers)?;
    Some((named(&declared.words)?, next))
}

/// The type of a macro of the file that is one number.
fn macro_type(doc: &Document<'_>, name: &[u8]) -> Option<Integer> {
    let mut defines = doc.macros_called(name);
    let (Some(define), None) = (defines.next(), defines.next()) else {
        return None;
    };
    let value = define.operands().skip(1);
    let mut value = value.filter(|&at| !matches!(doc.bytes(at), b"(" | b")"));
    match (value.next(), value.next()) {
        (Some(at), None) => literal_type(doc.bytes(at)),
        _ => None,
    }
}

fn words<'d>(doc: &Document<'d>, tokens: Range<TokenIndex>) -> Vec<&'d [u8]> {
    tokens.map(|at| doc.bytes(at)).collect()
}

/// The integer type that the words of a declaration name.
fn named(words: &[&[u8]]) -> Option<Integer> {
    let words: Vec<&[u8]> = words
        .iter()
        .copied()
        .filter(|word| !is_qualifier(word))
        .collect();
    Some(match words[..] {
        [b"int"] | [b"signed"] | [b"int32_t"] => Integer::Int,
        [b"unsigned"] | [b"unsigned", b"int"] | [b"uint"] | [b"uint32_t"] => Integer::Unsigned,
        [b"long", b"long"] | [b"long", b"long", b"int"] => Integer::LongLong,
        [b"unsigned", b"long", b"long"] => Integer::UnsignedLongLong,
        _ => return None,
    })
}

/// The type of a literal; `long` is left out, since whether it has 32 or 64 bits is the platform's choice.
fn literal_type(text: &[u8]) -> Option<Integer> {
    let literal = number::Integer::parse(text)?;
    match (literal.is_unsigned, literal.longs) {
        (false, 0) if literal.value <= i32::MAX as u64 => Some(Integer::Int),
        (true, 0) if literal.value <= u64::from(u32::MAX) => Some(Integer::Unsigned),
        (false, 2) => Some(Integer::LongLong),
        (true, 2) => Some(Integer::UnsignedLongLong),
        _ => None,
    }
}
