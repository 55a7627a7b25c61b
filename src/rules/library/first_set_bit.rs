//! `__ffsll` or `__ffs` of a `long`, between whose two overloads HIP cannot choose.
//!
//! ## Why on AMD
//! CUDA has one `__ffsll`, for `long long`, and every integer turns into that. HIP has one for `long long` and one for `unsigned long
//! long`; a `long`, an `unsigned long`, and so `size_t`, `int64_t` and `uint64_t` on Linux, are neither, and clang calls it ambiguous.
//! The bits, and with them the result, are the same after a conversion.
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
    if is_members_name(cx.doc, index) || !is_long(cx.doc, argument.clone()) {
        return;
    }
    let ty = if is_wide { "unsigned long long" } else { "int" };
    let range = cx.doc.range(argument.start, argument.end - 1);
    let edits = vec![
        Edit::insert(range.start, format!("({ty})(")),
        Edit::insert(range.end, ")"),
    ];
    let message = format!("`{}` of a `long` is ambiguous in HIP", cx.text(index));
    cx.report(RULE.finding(cx.range(index), message).fix(Fix::safe(edits)));
}

/// Whether an operand of the expression is a `long`, and none is a `long long`, a call or anything else that may decide otherwise.
fn is_long(doc: &Document<'_>, tokens: Range<TokenIndex>) -> bool {
    let (mut found, mut at) = (false, tokens.start);
    while at < tokens.end {
        if doc.is_ident(at) {
            let next = doc.next(at).filter(|&next| next < tokens.end);
            let subscripted = next.is_some_and(|next| doc.is(next, "["));
            let width = declared(doc, at)
                .filter(|ty| ty.pointers == usize::from(subscripted))
                .and_then(|ty| width(&ty.words));
            let plain = subscripted
                || next.is_none_or(|next| !matches!(doc.bytes(next), b"(" | b"." | b"->" | b"::"));
            match width.filter(|_| plain) {
                Some(Width::Long) => found = true,
                Some(Width::Int) => {}
                None => return false,
            }
            if subscripted && let Some(close) = next.and_then(|open| doc.matching_bracket(open)) {
                at = close;
            }
        } else if doc.tokens[at].kind == TokenKind::Number {
            let text = doc.bytes(at).to_ascii_lowercase();
            if text.ends_with(b"ll") || text.ends_with(b"llu") || text.ends_with(b"ull") {
                return false;
            }
        } else if !is_arithmetic(doc, at) {
            return false;
        }
        at += 1;
    }
    found
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

enum Width {
    Int,
    Long,
}

/// Whether the words of a declaration name a `long` or a narrower integer.
fn width(words: &[&[u8]]) -> Option<Width> {
    let is = |word: &str| words.contains(&word.as_bytes());
    let longs = words.iter().filter(|word| **word == b"long").count();
    let is_alias = ["size_t", "uint64_t", "int64_t", "ulong"]
        .into_iter()
        .any(is);
    let is_narrow = [
        "int", "unsigned", "short", "char", "uint", "uint32_t", "int32_t",
    ]
    .into_iter()
    .any(is);
    match longs {
        1 => Some(Width::Long),
        0 if is_alias => Some(Width::Long),
        0 if is_narrow => Some(Width::Int),
        _ => None,
    }
}
