//! Arithmetic on a `CUdeviceptr`.
//!
//! ## Why on AMD
//! `CUdeviceptr` is a number, `hipDeviceptr_t` a `void *`: nothing can be added to it, and it has no bits to compute with.
//!
//! ## Example
//! ```cuda
//! cuMemcpyHtoD(data + offset, host, size);
//! if (data % 256) align(&data);
//! int offset = data - mapping.address;
//! CUdeviceptr aligned = (data + 127) & ~127;
//! ```
//! becomes
//! ```hip
//! hipMemcpyHtoD(static_cast<char *>(data) + offset, host, size);
//! if (reinterpret_cast<unsigned long long>(data) % 256) align(&data);
//! int offset = reinterpret_cast<unsigned long long>(data) - (unsigned long long)mapping.address;
//! hipDeviceptr_t aligned = reinterpret_cast<hipDeviceptr_t>((reinterpret_cast<unsigned long long>(data) + 127) & ~127);
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! `cuda.h` of CUDA 13.0; `hip/driver_types.h` of ROCm 6.4.

use std::ops::Range;

use crate::analysis::{byte_pointer, pointer_results};
use crate::cpp::arithmetic;
use crate::cpp::calls::enclosing_parenthesis;
use crate::cpp::declarations::{self, Declared};
use crate::cpp::destination::{self, Holds};
use crate::rules::prelude::*;

/// Counts bytes from a pointer; reads the bits as a number.
pub static RULE: Rule = Rule {
    code: "CASS411",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[],
    checks: &[Check::Source(check)],
};

const TYPES: &[&str] = &["CUdeviceptr", "CUdeviceptr_v2"];
const MESSAGE: &str =
    "`CUdeviceptr` is an integer, `hipDeviceptr_t` a `void *`: arithmetic on it does not compile";
const HELP: &str = "use `static_cast<char *>(pointer)` for offsets, `reinterpret_cast<unsigned long long>(pointer)` for integers, and cast back";

fn check(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let is_own = TYPES.iter().any(|name| cx.is_own(name.as_bytes()));
    if is_own || doc.source.path.ends_with(".c") {
        return;
    }
    let mut names: Vec<&[u8]> = Vec::new();
    for ty in doc.all_of(TYPES) {
        check_cast(cx, ty);
        names.extend(declared_names(doc, ty));
    }
    for at in doc.all_called(names) {
        check_use(cx, at);
    }
    for operand in pointer_results::operands(doc, TYPES) {
        check_operand(cx, operand);
    }
}

/// `(CUdeviceptr)pointer + n`, `reinterpret_cast<CUdeviceptr>(pointer) + n`: the cast is to bytes at once.
fn check_cast(cx: &mut Context<'_, '_>, ty: TokenIndex) {
    let doc = cx.doc;
    let is_c = doc.is_before(ty, "(") && doc.is(ty + 1, ")");
    let is_named = doc.is_before(ty, "<") && doc.is(ty + 1, ">") && doc.is(ty + 2, "(");
    let behind = match (is_c, is_named) {
        (true, _) => postfix_end(doc, ty + 2),
        (_, true) => doc.matching_bracket(ty + 2).map(|close| close + 1),
        _ => None,
    };
    if behind.is_some_and(|at| matches!(doc.bytes(at), b"+" | b"-")) {
        let finding = RULE.finding(cx.range(ty), MESSAGE);
        cx.report(finding.fix(Fix::safe(vec![Edit::replace(cx.range(ty), "char *")])));
    }
}

/// The token behind `name`, `a.b[i]`, `f(x)`, `(…)` or `&x`.
fn postfix_end(doc: &Document<'_>, start: TokenIndex) -> Option<TokenIndex> {
    let mut at = start + usize::from(matches!(doc.bytes(start), b"&" | b"*"));
    at = match doc.bytes(at) {
        b"(" => doc.matching_bracket(at)? + 1,
        _ if doc.is_ident(at) => at + 1,
        _ => return None,
    };
    loop {
        at = match doc.bytes(at) {
            b"(" | b"[" => doc.matching_bracket(at)? + 1,
            b"." | b"->" | b"::" => at + 2,
            _ => return Some(at),
        };
    }
}

/// The names in `CUdeviceptr a, b = 0, *c;`.
fn declared_names<'d>(doc: &Document<'d>, ty: TokenIndex) -> Vec<&'d [u8]> {
    let mut names = Vec::new();
    let mut at = doc.next(ty);
    while let Some(start) = at {
        let is_star = doc.is(start, "*");
        let name = if is_star {
            doc.next(start)
        } else {
            Some(start)
        };
        let Some(name) = name.filter(|&name| doc.is_ident(name)) else {
            break;
        };
        names.push(doc.bytes(name));
        let end = byte_pointer::end_of_expression(doc, name).filter(|&end| doc.is(end, ","));
        at = end.and_then(|comma| doc.next(comma));
    }
    names
}

fn check_use(cx: &mut Context<'_, '_>, at: TokenIndex) {
    let doc = cx.doc;
    if doc.tokens[at].has(flags::DIRECTIVE) {
        return;
    }
    let Some((operand, found)) = operand(doc, at) else {
        return;
    };
    if found.is_any(TYPES) && found.name != at {
        check_operand(cx, operand);
    }
}

fn check_operand(cx: &mut Context<'_, '_>, operand: Range<TokenIndex>) {
    let doc = cx.doc;
    // What is computed is only put into it.
    if doc.is(operand.end, "=") {
        return;
    }
    let range = doc.range(operand.start, operand.end - 1);
    let finding = RULE.finding(range, MESSAGE);
    let fix = if is_number(doc, &operand) {
        let asked = is_asked(doc, operand.start).then(|| Fix::safe(as_number(range)));
        asked.or_else(|| number_as_pointer(doc, &operand))
    } else if byte_pointer::is_pointer_arithmetic(doc, &operand) {
        match meaning(doc, &operand) {
            Meaning::Pointer => byte_pointer::fix(cx, operand, false),
            Meaning::Number(also) => {
                let mut edits = as_number(range);
                edits.extend(
                    also.map(|at| Edit::insert(cx.range(at).start, "(unsigned long long)")),
                );
                Some(Fix::safe(edits))
            }
            Meaning::Unknown => None,
        }
    } else {
        return;
    };
    cx.report(match fix {
        Some(fix) if fix.applicability == Applicability::Review => finding
            .severity(Severity::Warning)
            .help("a `char *` is passed now; check that the parameter is a `void *`")
            .fix(fix),
        Some(fix) => finding.fix(fix),
        None => finding.severity(Severity::Error).help(HELP),
    });
}

/// The pointer that the name at `at` ends, `x`, `a->x` or `x[i]`, with the declaration of the name.
fn operand<'d>(doc: &Document<'d>, at: TokenIndex) -> Option<(Range<TokenIndex>, Declared<'d>)> {
    let found =
        declarations::declared(doc, at).or_else(|| declarations::declared_below(doc, at))?;
    let mut start = at;
    while start >= 2 && matches!(doc.bytes(start - 1), b"." | b"->") && doc.is_ident(start - 2) {
        start -= 2;
    }
    let end = match found.pointers {
        0 => at + 1,
        1 if doc.is(at + 1, "[") => doc.matching_bracket(at + 1)? + 1,
        _ => return None,
    };
    Some((start..end, found))
}

fn as_number(range: TextRange) -> Vec<Edit> {
    vec![
        Edit::insert(range.start, "reinterpret_cast<unsigned long long>("),
        Edit::insert(range.end, ")"),
    ]
}

/// `return (data + 127) & ~127;`, `aligned = data & mask;`: all of it is computed as a number and made a pointer again.
fn number_as_pointer(doc: &Document<'_>, operand: &Range<TokenIndex>) -> Option<Fix> {
    let first = value_start(doc, operand.start)?;
    let end = byte_pointer::end_of_expression(doc, first).filter(|&end| doc.is(end, ";"))?;
    let before = doc.prev(first)?;
    let is_pointer = match doc.is(before, "return") {
        true => returns_pointer(doc, before),
        false => destination::of_sum(doc, first, TYPES) == Some(Holds::Pointer),
    };
    // Another pointer in the same value would be made one by itself.
    let is_other = |at: TokenIndex| {
        doc.is_ident(at)
            && !operand.contains(&at)
            && self::operand(doc, at).is_some_and(|(_, found)| found.is_any(TYPES))
    };
    (is_pointer && !(first..end).any(is_other)).then(|| {
        let whole = doc.range(first, end - 1);
        let mut edits = as_number(doc.range(operand.start, operand.end - 1));
        // `~(CUdeviceptr)255` is a number there.
        let casts = (first..end).filter(|&at| TYPES.iter().any(|ty| doc.is(at, ty)));
        edits.extend(casts.map(|at| Edit::replace(doc.range(at, at), "unsigned long long")));
        edits.insert(
            0,
            Edit::insert(whole.start, "reinterpret_cast<hipDeviceptr_t>("),
        );
        edits.push(Edit::insert(whole.end, ")"));
        Fix::safe(edits)
    })
}

/// The first token of the value that an operand is a part of: behind `return` or a single `=`.
fn value_start(doc: &Document<'_>, operand: TokenIndex) -> Option<TokenIndex> {
    let mut at = operand;
    loop {
        let prev = doc.prev(at)?;
        at = match doc.bytes(prev) {
            b"return" | b"=" => return Some(at),
            b"(" => match doc.bytes(doc.prev(prev)?) {
                b"(" | b"=" | b"return" | b"+" | b"-" | b"&" | b"|" => prev,
                _ => return None,
            },
            b")" | b"]" => doc.matching_bracket(prev)?,
            b"+" | b"-" | b"&" | b"|" | b"~" | b"*" | b"/" | b"%" => prev,
            _ if doc.is_ident(prev) || doc.tokens[prev].kind == TokenKind::Number => prev,
            _ => return None,
        };
    }
}

/// Whether the function around a token returns a device pointer.
fn returns_pointer(doc: &Document<'_>, at: TokenIndex) -> bool {
    doc.scopes().enclosing(at).is_some_and(|function| {
        let name = function.name.unwrap_or(function.head.start);
        name > function.head.start
            && (function.head.start..name).any(|at| TYPES.iter().any(|ty| doc.is(at, ty)))
            && !(function.head.start..name).any(|at| doc.is(at, "*"))
    })
}

/// What a sum or difference with a device pointer is.
enum Meaning {
    /// A pointer, or the distance of two.
    Pointer,
    /// A number; the token where an operand starts whose type is not in sight, so that it may be a pointer now.
    Number(Option<TokenIndex>),
    /// What is taken from or from what may be a number or a pointer.
    Unknown,
}

/// The other side of a difference.
#[derive(PartialEq)]
enum Side {
    Device,
    Integer,
    /// Where it starts, if a cast in front of it means all of it.
    Unknown(Option<TokenIndex>),
}

fn meaning(doc: &Document<'_>, own: &Range<TokenIndex>) -> Meaning {
    let is_left = doc.is(own.end, "-");
    let side = if is_left {
        Some(side_behind(doc, own.end + 1))
    } else if doc.is_before(own.start, "-") {
        doc.prev(own.start - 1).map(|last| side_before(doc, last))
    } else {
        None
    };
    match (destination::of_sum(doc, own.start, TYPES), side) {
        (Some(Holds::Pointer), _) | (None, None) | (_, Some(Side::Device)) => Meaning::Pointer,
        (Some(Holds::Integer), Some(Side::Unknown(None))) => Meaning::Unknown,
        (Some(Holds::Integer), Some(Side::Unknown(at))) => Meaning::Number(at),
        (Some(Holds::Integer), _) => Meaning::Number(None),
        (None, Some(Side::Integer)) if is_left => Meaning::Pointer,
        (None, Some(Side::Integer)) => Meaning::Number(None),
        (None, Some(Side::Unknown(_))) => Meaning::Unknown,
    }
}

/// What starts here and is taken from a pointer.
fn side_behind(doc: &Document<'_>, start: TokenIndex) -> Side {
    let Some(end) = postfix_end(doc, start) else {
        let first = doc.tokens.get(start);
        let is_number = first.is_some_and(|first| first.kind == TokenKind::Number);
        return if is_number {
            Side::Integer
        } else {
            Side::Unknown(None)
        };
    };
    let is_product = matches!(doc.bytes(end), b"*" | b"/" | b"%");
    let is_constant = end == start + 1 && !doc.bytes(start).iter().any(u8::is_ascii_lowercase);
    let is_integer = || arithmetic::operand(doc, start, end).is_some_and(|it| it.1 == end);
    let last = doc
        .is_ident(end - 1)
        .then(|| operand(doc, end - 1))
        .flatten();
    if is_product || is_constant || doc.is(start, "sizeof") || is_integer() {
        Side::Integer
    } else if last.is_some_and(|(_, found)| found.is_any(TYPES)) {
        Side::Device
    } else {
        Side::Unknown(Some(start))
    }
}

/// What ends here and has a pointer taken from it.
fn side_before(doc: &Document<'_>, last: TokenIndex) -> Side {
    if doc.tokens[last].kind == TokenKind::Number {
        return Side::Integer;
    }
    let of_name = doc.is_ident(last).then(|| operand(doc, last)).flatten();
    let Some((own, found)) = of_name else {
        return Side::Unknown(chain_start(doc, last));
    };
    let is_integer =
        || arithmetic::operand(doc, own.start, own.end).is_some_and(|it| it.1 == own.end);
    if found.is_any(TYPES) {
        Side::Device
    } else if is_integer() {
        Side::Integer
    } else {
        Side::Unknown(Some(own.start))
    }
}

/// Where `a.b->c` starts by its last name; none for calls and elements.
fn chain_start(doc: &Document<'_>, last: TokenIndex) -> Option<TokenIndex> {
    let mut start = last;
    while start >= 2 && matches!(doc.bytes(start - 1), b"." | b"->") {
        start -= 2;
    }
    doc.is_ident(start).then_some(start)
}

/// Whether a token stands in a question, whose answer is no pointer again.
fn is_asked(doc: &Document<'_>, start: TokenIndex) -> bool {
    let mut at = start;
    while let Some(open) = enclosing_parenthesis(doc, at) {
        match doc.prev(open).map(|before| doc.bytes(before)) {
            Some(b"if" | b"while" | b"assert") => return true,
            Some(b"(" | b"!" | b"&&" | b"||") => at = open,
            _ => return false,
        }
    }
    false
}

/// Whether an operator that pointers lack stands beside an operand, or beside the sum that it is a part of.
fn is_number(doc: &Document<'_>, operand: &Range<TokenIndex>) -> bool {
    let is_bound = |before: TokenIndex| matches!(doc.bytes(before), b")" | b"*" | b"<");
    if operand.start.checked_sub(1).is_some_and(is_bound) {
        return false;
    }
    let mut at = operand.end;
    if is_sign(doc, at, true) {
        return true;
    }
    while !matches!(
        doc.bytes(at),
        b";" | b","
            | b"?"
            | b":"
            | b"]"
            | b"=="
            | b"!="
            | b"<="
            | b">="
            | b"&&"
            | b"||"
            | b"}"
            | b""
    ) {
        if is_sign(doc, at, false) {
            return true;
        }
        at = match doc.bytes(at) {
            b")" => return is_sign(doc, at + 1, true),
            b"(" | b"[" => doc.matching_bracket(at).unwrap_or(at) + 1,
            _ => at + 1,
        };
    }
    false
}

/// Whether an operator on bits stands here, or, if asked for, one that binds more closely than a sum.
fn is_sign(doc: &Document<'_>, at: TokenIndex, of_product: bool) -> bool {
    let is_shift = |sign: &str| doc.is(at, sign) && doc.is(at + 1, sign);
    let of_bits = matches!(doc.bytes(at), b"&" | b"|" | b"^" | b"&=" | b"|=" | b"%=");
    of_bits || is_shift("<") || is_shift(">") || of_product && matches!(doc.bytes(at), b"%" | b"/")
}
