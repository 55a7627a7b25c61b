//! `__ffsll` of a narrower integer or `__ffs` of a wider one, between whose two overloads HIP cannot choose.
//!
//! ## Why on AMD
//! CUDA has one `__ffsll`, for `long long`, and every integer turns into that. HIP has one for `long long` and one for `unsigned long
//! long`; an `int`, a `long`, an `unsigned long`, and so `size_t`, `int64_t` and `uint64_t` on Linux, are neither, and clang calls it
//! ambiguous. So is `__ffs` of anything wider than an `int`. The bits, and with them the result, are the same after a conversion.
//!
//! ## Example
//! ```cuda
//! uint64_t mask; …
//! int bit = __ffsll(mask);
//! ```
//! becomes
//! ```hip
//! int bit = __ffsll((unsigned long long)(mask));
//! ```
//!
//! ## When to ignore
//! Never; arguments whose types are not in sight are left alone.
//!
//! ## Source
//! `hip/amd_detail/amd_device_functions.h` of ROCm 6.4; clang 19: "call to '__ffsll' is ambiguous".

use crate::cpp::calls::trusted_call;
use std::ops::Range;

use crate::cpp::declarations::declared;
use crate::cpp::names::is_members_name;
use crate::rules::prelude::*;
use crate::text::number::integer;

/// Converts the argument.
pub static RULE: Rule = Rule {
    code: "CASS513",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 60,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Idents(&["__ffsll", "__ffs"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let is_wide = cx.doc.is(index, "__ffsll");
    let call = trusted_call(cx.doc, index).filter(|call| call.arguments.len() == 1);
    let Some(argument) = call.map(|call| call.arguments[0].clone()) else {
        return;
    };
    let width = match is_members_name(cx.doc, index) {
        true => None,
        false => widest(cx.doc, argument.clone()),
    };
    // HIP has them for `long long` and `unsigned long long`, and for `int` and `unsigned`; narrower ones turn into `int`.
    let (ty, of) = match (is_wide, width) {
        (true, Some(Width::Int)) => ("unsigned long long", "an `int`"),
        (true, Some(Width::Long)) => ("unsigned long long", "a `long`"),
        (false, Some(Width::Long)) => ("int", "a `long`"),
        (false, Some(Width::LongLong)) => ("int", "a `long long`"),
        _ => return,
    };
    let range = cx.doc.range(argument.start, argument.end - 1);
    let edits = vec![
        Edit::insert(range.start, format!("({ty})(")),
        Edit::insert(range.end, ")"),
    ];
    let message = format!("`{}` of {of} is ambiguous in HIP", cx.text(index));
    cx.report(RULE.finding(cx.range(index), message).fix(Fix::safe(edits)));
}

/// The widest operand of an expression of integers; `None` where a call or anything else may decide otherwise.
fn widest(doc: &Document<'_>, tokens: Range<TokenIndex>) -> Option<Width> {
    if let Some(width) = of_cast(doc, &tokens) {
        return Some(width);
    }
    let (mut found, mut at) = (None, tokens.start);
    while at < tokens.end {
        if doc.is_ident(at) {
            let next = doc.next(at).filter(|&next| next < tokens.end);
            let subscripted = next.is_some_and(|next| doc.is(next, "["));
            let width = declared(doc, at)
                .filter(|ty| ty.pointers == usize::from(subscripted))
                .and_then(|ty| width(&ty.words));
            let plain = subscripted
                || next.is_none_or(|next| !matches!(doc.bytes(next), b"(" | b"." | b"->" | b"::"));
            found = found.max(Some(width.filter(|_| plain)?));
            if subscripted && let Some(close) = next.and_then(|open| doc.matching_bracket(open)) {
                at = close;
            }
        } else if doc.tokens[at].kind == TokenKind::Number {
            found = found.max(Some(of_number(doc.bytes(at))?));
        } else if !is_arithmetic(doc, at) {
            return None;
        }
        at += 1;
    }
    found
}

/// What `(int)x` and `(int)(a + b)` say.
fn of_cast(doc: &Document<'_>, tokens: &Range<TokenIndex>) -> Option<Width> {
    let open = Some(tokens.start).filter(|&open| doc.is(open, "("))?;
    let close = doc.matching_bracket(open)?;
    let operand = close + 1..tokens.end;
    let is_one = operand.len() == 1
        || doc.matching_bracket(operand.start) == Some(operand.end.saturating_sub(1));
    let words: Vec<&[u8]> = (open + 1..close).map(|at| doc.bytes(at)).collect();
    let is_type = (open + 1..close).all(|at| doc.is_ident(at)) && !operand.is_empty();
    width(&words).filter(|_| is_one && is_type)
}

/// The width of a literal by its suffix; `None` of one of 2^31 or more, or with a point.
fn of_number(text: &[u8]) -> Option<Width> {
    let text = text.to_ascii_lowercase();
    let digits = text.strip_suffix(b"u").unwrap_or(&text);
    let longs = text.iter().filter(|letter| **letter == b'l').count();
    match longs {
        2 => Some(Width::LongLong),
        1 => Some(Width::Long),
        _ => integer(digits)
            .filter(|value| *value < 1 << 31)
            .map(|_| Width::Int),
    }
}

/// Signs that leave the type of the widest operand; `>>` may be two tokens.
fn is_arithmetic(doc: &Document<'_>, at: TokenIndex) -> bool {
    match doc.bytes(at) {
        b"<" | b">" => doc.bytes(at) == doc.bytes(at + 1) || doc.bytes(at) == doc.bytes(at - 1),
        sign => matches!(
            sign,
            b"(" | b")" | b"&" | b"|" | b"^" | b"~" | b"+" | b"-" | b"*" | b"<<" | b">>"
        ),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Width {
    Int,
    Long,
    LongLong,
}

/// The width of the integer that the words of a declaration name.
fn width(words: &[&[u8]]) -> Option<Width> {
    let is = |word: &str| words.contains(&word.as_bytes());
    let longs = words.iter().filter(|word| **word == b"long").count();
    let is_alias = ["size_t", "uint64_t", "int64_t", "ulong"]
        .into_iter()
        .any(is);
    let is_narrow = [
        "int", "unsigned", "short", "char", "bool", "uint", "uint32_t", "int32_t", "uint16_t",
        "int16_t", "uint8_t", "int8_t",
    ]
    .into_iter()
    .any(is);
    match longs {
        2 => Some(Width::LongLong),
        1 => Some(Width::Long),
        0 if is_alias => Some(Width::Long),
        0 if is_narrow => Some(Width::Int),
        _ => None,
    }
}
