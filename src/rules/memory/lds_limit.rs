//! More shared memory for one block than a compute unit has.
//!
//! ## Why on AMD
//! A block may use 64 KiB of LDS (160 KiB on gfx950), and needs no permission for more than 48 KiB. NVIDIA GPUs give up to 227 KiB
//! after `cudaFuncSetAttribute`. Static arrays beyond the limit do not compile; a dynamic size beyond it fails at launch.
//!
//! ## Example
//! ```cuda
//! cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304);   // fails on AMD
//! ```
//!
//! ## When to ignore
//! When the program is built for gfx950 only; `--target gfx950` says so to this tool.
//!
//! ## Source
//! HIP hardware features table; clang 19: "local memory exceeds limit (65536)".

use std::ops::Range;

use crate::rules::prelude::*;

/// Reports sizes that can be computed.
pub static RULE: Rule = Rule {
    code: "CASS404",
    severity: Severity::Error,
    fix: None,
    priority: 50,
    triggers: &[
        Trigger::Idents(&["__shared__", "cudaFuncAttributeMaxDynamicSharedMemorySize"]),
        Trigger::Launch,
    ],
    check,
};

/// Bytes of LDS that a block may use, but for gfx950.
const LIMIT: u64 = 64 * 1024;

const DYNAMIC_HELP: &str =
    "choose a smaller tile or fewer stages for AMD; up to 65536 bytes need no permission";

const SMALL: &[&str] = &[
    "gfx900", "gfx906", "gfx908", "gfx90a", "gfx940", "gfx941", "gfx942", "gfx1030", "gfx1031",
    "gfx1032", "gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1200",
    "gfx1201",
];

fn check(at: At<'_>, cx: &mut Context<'_, '_>) {
    let index = match at {
        At::Ident(index) => index,
        At::Launch(site) => {
            let bytes = site.config.get(2).cloned();
            let size = bytes.and_then(|tokens| value(cx, tokens));
            return report(cx, site.open_range(cx.doc), size, DYNAMIC_HELP);
        }
        _ => return,
    };
    let (size, help) = if cx.doc.is(index, "__shared__") {
        (
            static_size(cx, index),
            "make the arrays smaller: fewer pipeline stages or a smaller tile",
        )
    } else {
        (dynamic_size(cx, index), DYNAMIC_HELP)
    };
    report(cx, cx.range(index), size, help);
}

fn report(cx: &mut Context<'_, '_>, range: TextRange, size: Option<u64>, help: &'static str) {
    if let Some(size) = size.filter(|&size| size > LIMIT) {
        let message = format!(
            "{size} bytes of shared memory are more than the {LIMIT} that a block has on AMD"
        );
        cx.report(RULE.finding(range, message).help(help).targets(SMALL));
    }
}

/// Bytes of `__shared__ float tile[64][65];`, one declarator of a type whose size is known.
fn static_size(cx: &Context<'_, '_>, index: TokenIndex) -> Option<u64> {
    let mut at = cx.doc.next(index)?;
    while matches!(cx.doc.bytes(at), b"const" | b"volatile" | b"static") {
        at = cx.doc.next(at)?;
    }
    let (mut size, name) = element(cx, at)?;
    let mut open = cx.doc.next(name)?;
    while cx.doc.is(open, "[") {
        let close = cx.doc.partner(open)?;
        size = size.checked_mul(value(cx, open + 1..close)?)?;
        open = cx.doc.next(close)?;
    }
    cx.doc.is(open, ";").then_some(size)
}

/// Size of the type at `at`, and the declared name behind it.
fn element(cx: &Context<'_, '_>, at: TokenIndex) -> Option<(u64, TokenIndex)> {
    let (size, behind) = match cx.doc.bytes(at) {
        b"unsigned" | b"signed" => {
            let next = cx.doc.next(at)?;
            match scalar(cx.doc.bytes(next)) {
                Some(size) => (size, cx.doc.next(next)?),
                None => (4, next),
            }
        }
        word => {
            let lanes = word.last().filter(|last| (b'2'..=b'4').contains(*last));
            let size = match lanes {
                Some(lanes) => {
                    scalar(word.split_last()?.1)?.checked_mul(u64::from(lanes - b'0'))?
                }
                None => scalar(word)?,
            };
            (size, cx.doc.next(at)?)
        }
    };
    cx.doc.is_ident(behind).then_some((size, behind))
}

fn scalar(word: &[u8]) -> Option<u64> {
    Some(match word {
        b"char" | b"uchar" | b"int8_t" | b"uint8_t" | b"bool" => 1,
        b"short" | b"ushort" | b"half" | b"__half" | b"__nv_bfloat16" | b"int16_t"
        | b"uint16_t" => 2,
        b"int" | b"uint" | b"float" | b"int32_t" | b"uint32_t" => 4,
        b"double" | b"long" | b"ulong" | b"longlong" | b"ulonglong" | b"int64_t" | b"uint64_t"
        | b"size_t" => 8,
        _ => return None,
    })
}

/// The size argument of `cudaFuncSetAttribute(kernel, attribute, size)`.
fn dynamic_size(cx: &Context<'_, '_>, index: TokenIndex) -> Option<u64> {
    let call = cx
        .doc
        .call(crate::cpp::statements::enclosing_call(cx.doc, index)?)?;
    value(cx, call.arguments.get(2)?.clone())
}

/// The value of a product or sum of numbers and constants: `96 * 1024`, `STAGES * TILE + 64`.
fn value(cx: &Context<'_, '_>, tokens: Range<TokenIndex>) -> Option<u64> {
    let mut sum = 0u64;
    for part in split(cx.doc, tokens, "+") {
        let mut product = 1u64;
        for factor in split(cx.doc, part, "*") {
            product = product.checked_mul(atom(cx, factor)?)?;
        }
        sum = sum.checked_add(product)?;
    }
    Some(sum)
}

fn split(doc: &Document<'_>, tokens: Range<TokenIndex>, sign: &str) -> Vec<Range<TokenIndex>> {
    let (mut parts, mut start, mut at) = (Vec::new(), tokens.start, tokens.start);
    while at < tokens.end {
        if doc.is(at, sign) {
            parts.push(start..at);
            start = at + 1;
        } else if let Some(close) = doc.partner(at).filter(|&close| close > at) {
            at = close;
        }
        at += 1;
    }
    parts.push(start..tokens.end);
    parts
}

fn atom(cx: &Context<'_, '_>, tokens: Range<TokenIndex>) -> Option<u64> {
    let first = tokens.start;
    match tokens.len() {
        1 if cx.doc.tokens[first].kind == TokenKind::Number => {
            let text = cx.text(first);
            text.trim_end_matches(['u', 'U', 'l', 'L']).parse().ok()
        }
        1 if cx.doc.is_ident(first) => cx.constant(cx.doc.bytes(first)),
        4 if cx.doc.is(first, "sizeof") => scalar(cx.doc.bytes(first + 2)),
        2.. if cx.doc.is(first, "(") && cx.doc.partner(first) == Some(tokens.end - 1) => {
            value(cx, first + 1..tokens.end - 1)
        }
        _ => None,
    }
}
