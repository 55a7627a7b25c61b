//! A hard-coded warp size of 32, with `--warp native`.
//!
//! ## Why on AMD
//! Wavefronts of CDNA have 64 lanes. With `--warp native` shuffles and votes work on all of them, so lanes and warp numbers taken from a
//! thread index by 32, 31 or 5 are those of half a wavefront. With `--warp logical32`, the default, they are right.
//!
//! ## Example
//! ```cuda
//! #define WARP_SIZE 32
//! int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
//! ```
//!
//! ## When to ignore
//! When the number has nothing to do with warps.
//!
//! ## Source
//! HIP porting guide, warp size.

use crate::cpp::lanes::names_size;
use crate::cpp::names::name_words;
use crate::options::WarpMode;
use crate::rules::prelude::*;
use crate::text::number::integer;

/// Reports 32, 31 and 5 in lane arithmetic.
pub static RULE: Rule = Rule {
    code: "CASS207",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    if cx.options().warp != WarpMode::Native {
        return;
    }
    for at in 1..cx.doc.tokens.len() {
        let found = if cx.doc.tokens[at].kind == TokenKind::Number {
            definition(cx, at).or_else(|| lane_arithmetic(cx, at))
        } else {
            None
        };
        if let Some(finding) = found {
            cx.report(finding);
        }
    }
}

/// `#define WARP_SIZE 32`, `constexpr int kWarpSize = 32;`.
fn definition(cx: &Context<'_, '_>, value: TokenIndex) -> Option<Finding> {
    let doc = cx.doc;
    if integer(doc.bytes(value)) != Some(32) {
        return None;
    }
    let mut name = value - 1;
    while name > 0 && matches!(doc.bytes(name), b"=" | b"(") {
        name -= 1;
    }
    let is_size = names_size(doc.bytes(name));
    let closes = doc
        .next(value)
        .is_none_or(|next| matches!(doc.bytes(next), b";" | b")" | b","));
    (is_size && doc.is_ident(name) && closes).then(|| {
        RULE.finding(cx.doc.range(name, value), "a hard-coded warp size of 32")
            .help("make it 64 for CDNA: a macro from the build, or warpSize where no constant is needed")
    })
}

/// `threadIdx.x & 31`, `tid / 32`, `tid >> 5`.
fn lane_arithmetic(cx: &Context<'_, '_>, value: TokenIndex) -> Option<Finding> {
    let doc = cx.doc;
    let operator = doc.prev(value)?;
    let number = integer(doc.bytes(value))?;
    let first = match (doc.bytes(operator), number) {
        (b"&", 31) | (b"%" | b"/", 32) => operator,
        (b">", 5) if doc.prev_is(operator, ">") => doc.prev(operator)?,
        _ => return None,
    };
    let operand = doc.prev(first)?;
    (cx.may_be_device(value) && is_thread(doc, operand)).then(|| {
        RULE.finding(
            doc.range(first, value),
            "a lane or warp index computed with a hard-coded warp size of 32",
        )
        .help("use warpSize, or __lane_id() for the lane: wavefronts have 64 lanes on CDNA")
    })
}

/// `threadIdx.x`, `tid`.
fn is_thread(doc: &Document<'_>, last: TokenIndex) -> bool {
    if matches!(doc.bytes(last), b"x" | b"y" | b"z") {
        let object = doc
            .prev(last)
            .filter(|&dot| doc.is(dot, "."))
            .and_then(|dot| doc.prev(dot));
        return object.is_some_and(|object| doc.is(object, "threadIdx"));
    }
    let mut words = name_words(doc.bytes(last));
    let is_of_thread = |word: String| {
        let known = ["tid", "tidx", "thread", "threads"];
        known.contains(&word.as_str()) || word.starts_with("threadi")
    };
    doc.is_ident(last) && words.any(is_of_thread)
}
