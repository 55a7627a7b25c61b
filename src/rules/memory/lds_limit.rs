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

use crate::cpp::value;
use crate::mapping::chip;
use crate::rules::prelude::*;

/// Reports sizes that can be computed.
pub static RULE: Rule = Rule {
    code: "CASS404",
    severity: Severity::Error,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[
        Check::Idents(
            &["__shared__", "cudaFuncAttributeMaxDynamicSharedMemorySize"],
            check,
        ),
        Check::Launch(launches),
    ],
};

/// Bytes of LDS that a block may use, but for gfx950.
const LIMIT: u64 = 64 * 1024;

const DYNAMIC_HELP: &str =
    "choose a smaller tile or fewer stages for AMD; up to 65536 bytes need no opt-in";

fn launches(launch: &LaunchSite, cx: &mut Context<'_, '_>) {
    let bytes = launch.config.get(2).cloned();
    let size = bytes.and_then(|tokens| cx.count(tokens));
    report(cx, launch.open_range(cx.doc), size, DYNAMIC_HELP);
}

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
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
        cx.report(
            RULE.finding(range, message)
                .help(help)
                .targets(chip::with_lds_up_to_64()),
        );
    }
}

/// Bytes of the arrays of one declaration, `__shared__ alignas(16) float tile[64][65], rest[STAGES * 8];`.
fn static_size(cx: &Context<'_, '_>, index: TokenIndex) -> Option<u64> {
    let (element, mut name) = element(cx, cx.doc.next(index)?)?;
    let mut sum = 0u64;
    loop {
        let (mut size, mut open) = (element, cx.doc.next(name)?);
        while cx.doc.is(open, "[") {
            let close = cx.doc.matching_bracket(open)?;
            size = size.checked_mul(cx.count(open + 1..close)?)?;
            open = cx.doc.next(close)?;
        }
        sum = sum.checked_add(size)?;
        match cx.doc.bytes(open) {
            b";" => return Some(sum),
            b"," => name = cx.doc.next(open).filter(|&at| cx.doc.is_ident(at))?,
            _ => return None,
        }
    }
}

/// Bytes of the type at `at`, attributes aside, and the first name behind it.
fn element(cx: &Context<'_, '_>, mut at: TokenIndex) -> Option<(u64, TokenIndex)> {
    let doc = cx.doc;
    let mut words = Vec::new();
    loop {
        let next = doc.next(at)?;
        match doc.bytes(at) {
            b"alignas" | b"__align__" | b"__attribute__" => {
                // Without its bracket, `alignas}`, the next one may be one that leads back.
                let open = Some(next).filter(|&next| doc.is(next, "("))?;
                at = doc.next(doc.matching_bracket(open)?)?
            }
            b"[" if doc.is(next, "[") => at = doc.next(doc.matching_bracket(at)?)?,
            b"::" => at = next,
            _ if !doc.is_ident(at) => return None,
            _ if matches!(doc.bytes(next), b"[" | b";" | b",") && !words.is_empty() => {
                return Some((value::size_of(&words)?, at));
            }
            word => {
                words.push(word);
                at = next;
            }
        }
    }
}

/// The size argument of `cudaFuncSetAttribute(kernel, attribute, size)`.
fn dynamic_size(cx: &Context<'_, '_>, index: TokenIndex) -> Option<u64> {
    let call = cx
        .doc
        .call(crate::cpp::calls::enclosing_call(cx.doc, index)?)?;
    cx.count(call.arguments.get(2)?.clone())
}
