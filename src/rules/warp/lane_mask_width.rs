//! A lane mask in 32 bits, with `--warp native`.
//!
//! ## Why on AMD
//! Votes over a wavefront return 64 bits. A variable of 32 bits loses the upper half without a word from the compiler, `__popc` of the
//! result counts half of it, and `1u << lane` is undefined from lane 32. With `--warp logical32`, the default, votes keep 32
//! bits and nothing of this arises.
//!
//! ## Example
//! ```cuda
//! unsigned votes = __ballot_sync(0xffffffff, p);
//! int n = __popc(votes & ((1u << lane) - 1));
//! ```
//! becomes
//! ```hip
//! unsigned long long votes = __ballot(p);
//! int n = __popcll(votes & ((1ull << lane) - 1));
//! ```
//!
//! ## When to ignore
//! When only RDNA is a target, whose compute wavefronts have 32 lanes.
//!
//! ## Source
//! `hip/amd_detail/amd_warp_functions.h` of ROCm 6.4; HIP porting guide, warp functions.

use std::ops::Range;

use crate::cpp::declarations;
use crate::cpp::lanes::names_lane;
use crate::options::WarpMode;
use crate::rules::prelude::*;
use crate::text::keywords::is_no_part_of_type;

/// Widens masks, what counts their bits, and what builds them.
pub static RULE: Rule = Rule {
    code: "CASS206",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    facts: &[],
    checks: &[Check::Source(check)],
};

const HELP: &str = "keep lane masks in unsigned long long everywhere: parameters, shared memory, printf formats as well";

fn check(cx: &mut Context<'_, '_>) {
    if cx.options().warp != WarpMode::Native {
        return;
    }
    let bodies: Vec<Range<TokenIndex>> = cx
        .doc
        .scopes()
        .iter()
        .map(|function| function.body.clone())
        .collect();
    for body in outermost(bodies) {
        let masks = masks(cx.doc, body.clone());
        for mask in &masks {
            let edit = Edit::replace(mask.ty, "unsigned long long");
            let message = format!("`{}` stores a 64-bit lane mask in 32 bits", mask.name);
            cx.report(
                RULE.finding(mask.ty, message)
                    .help(HELP)
                    .fix(Fix::review(vec![edit])),
            );
        }
        for finding in uses(cx, body, &masks) {
            cx.report(finding);
        }
    }
}

/// Bodies that lie in no other: a lambda sees the masks of its function.
fn outermost(mut bodies: Vec<Range<TokenIndex>>) -> Vec<Range<TokenIndex>> {
    bodies.sort_by_key(|body| body.start);
    let mut kept: Vec<Range<TokenIndex>> = Vec::new();
    for body in bodies {
        if !kept.last().is_some_and(|outer| outer.contains(&body.start)) {
            kept.push(body);
        }
    }
    kept
}

/// A variable of 32 bits that takes a vote.
struct MaskVariable {
    name: String,
    /// Bytes of its type.
    ty: TextRange,
}

fn masks(doc: &Document<'_>, body: Range<TokenIndex>) -> Vec<MaskVariable> {
    let mut found: Vec<MaskVariable> = Vec::new();
    for at in body.filter(|&at| returns_mask(doc, at)) {
        let Some(name) = doc
            .prev(at)
            .filter(|&equals| matches!(doc.bytes(equals), b"=" | b"|=" | b"&="))
            .and_then(|equals| doc.prev(equals))
            .filter(|&name| doc.is_ident(name))
        else {
            continue;
        };
        let is_declared_here = doc
            .prev(name)
            .is_some_and(|word| doc.is_ident(word) && !is_no_part_of_type(doc.bytes(word)));
        let declared = if is_declared_here {
            Some(name)
        } else {
            declarations::declared(doc, name).map(|found| found.name)
        };
        let text = String::from_utf8_lossy(doc.bytes(name)).into_owned();
        let ty = declared.and_then(|name| type_before(doc, name));
        if let Some(ty) = ty.filter(|ty| !found.iter().any(|known| known.ty == *ty)) {
            found.push(MaskVariable { name: text, ty });
        }
    }
    found
}

/// Bytes of the 32-bit integer type in front of a declared name.
fn type_before(doc: &Document<'_>, name: TokenIndex) -> Option<TextRange> {
    let last = doc.prev(name)?;
    match doc.bytes(last) {
        b"unsigned" | b"uint32_t" | b"uint" | b"u32" => Some(doc.range(last, last)),
        b"int" => {
            let first = doc.prev(last).filter(|&at| doc.is(at, "unsigned"));
            Some(doc.range(first.unwrap_or(last), last))
        }
        _ => None,
    }
}

fn returns_mask(doc: &Document<'_>, at: TokenIndex) -> bool {
    matches!(
        doc.bytes(at),
        b"__ballot_sync"
            | b"__ballot"
            | b"__activemask"
            | b"__match_any_sync"
            | b"__match_all_sync"
    )
}

/// Functions of 32-bit words around masks, and masks built by a shift of a 32-bit one.
fn uses(cx: &Context<'_, '_>, body: Range<TokenIndex>, masks: &[MaskVariable]) -> Vec<Finding> {
    let doc = cx.doc;
    let votes = body.clone().any(|at| returns_mask(doc, at));
    let is_mask = |at: TokenIndex| {
        returns_mask(doc, at)
            || (doc.is_ident(at)
                && masks
                    .iter()
                    .any(|mask| mask.name.as_bytes() == doc.bytes(at)))
    };
    let mut found = Vec::new();
    for at in body {
        let wide = match doc.bytes(at) {
            b"__popc" => "__popcll",
            b"__ffs" => "__ffsll",
            b"__clz" => "__clzll",
            b"__brev" => "__brevll",
            _ => {
                found.extend(votes.then(|| shifted_one(cx, at)).flatten());
                continue;
            }
        };
        let Some(call) = doc
            .call(at)
            .filter(|call| (call.open..call.close).any(is_mask))
        else {
            continue;
        };
        let message = format!("`{}` reads 32 of the 64 bits of a lane mask", cx.text(at));
        let edit = Edit::replace(cx.range(call.name), wide);
        found.push(
            RULE.finding(cx.range(at), message)
                .help(HELP)
                .fix(Fix::review(vec![edit])),
        );
    }
    found
}

/// `1 << lane`, `1u << lane_id`.
fn shifted_one(cx: &Context<'_, '_>, at: TokenIndex) -> Option<Finding> {
    let doc = cx.doc;
    let is_one = matches!(doc.bytes(at), b"1" | b"1u" | b"1U");
    let shift = doc.next(at).filter(|&shift| is_one && doc.is(shift, "<"))?;
    let mut operand = doc.next(shift).filter(|&second| doc.is(second, "<"))?;
    loop {
        operand = doc.next(operand)?;
        if !doc.is(operand, "(") {
            break;
        }
    }
    (doc.is_ident(operand) && names_lane(doc.bytes(operand))).then(|| {
        RULE.finding(cx.range(at), "a lane mask built from a 32-bit one")
            .help("shift 1ull: lane ids go up to 63 on CDNA")
            .fix(Fix::review(vec![Edit::replace(cx.range(at), "1ull")]))
    })
}
