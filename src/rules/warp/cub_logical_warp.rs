//! A warp primitive of CUB without the number of its threads.
//!
//! ## Why on AMD
//! CUB's warps have 32 threads unless told otherwise, hipCUB's as many as the wavefront, 64 on CDNA. Temporary storage, results and
//! which thread holds them then differ.
//!
//! ## Example
//! ```cuda
//! using Sum = cub::WarpReduce<float>;
//! ```
//! becomes
//! ```hip
//! using Sum = hipcub::WarpReduce<float, 32>;
//! ```
//!
//! ## When to ignore
//! With `--warp native` nothing is added, and the place is reported.
//!
//! ## Source
//! hipCUB documentation; `hipcub/backend/rocprim/warp/warp_reduce.hpp` of ROCm 6.4.

use super::WarpMode;
use super::lanes;
use super::prelude::*;
use crate::syntax::split_arguments;

/// Names 32 threads.
pub static RULE: Rule = Rule {
    code: "CASS240",
    name: "cub-logical-warp",
    group: Group::Warp,
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    since: "0.1.0",
    priority: 40,
    triggers: &[Trigger::Idents(&[
        "WarpReduce",
        "WarpScan",
        "WarpExchange",
        "WarpMergeSort",
        "WarpLoad",
        "WarpStore",
    ])],
    check,
};

fn check(at: At<'_>, cx: &mut Context<'_, '_>) {
    let At::Ident(index) = at else { return };
    if !is_of_cub(cx.doc, index) {
        return;
    }
    let arguments = cx
        .doc
        .next(index)
        .filter(|&open| cx.doc.is(open, "<"))
        .and_then(|open| lanes::template_arguments(cx.doc, open));
    let Some(tokens) = arguments.filter(|tokens| !tokens.is_empty()) else {
        return;
    };
    let given = split_arguments(cx.doc, tokens.clone()).len();
    let size_at = match cx.doc.bytes(index) {
        b"WarpReduce" | b"WarpScan" => 1,
        b"WarpExchange" | b"WarpMergeSort" => 2,
        _ => 3,
    };
    if given > size_at {
        return;
    }
    let name = cx.text(index);
    let finding = RULE.finding(
        cx.range(index),
        format!("`{name}` has 32 threads in CUB and a wavefront's in hipCUB"),
    );
    let finding = if cx.options().warp == WarpMode::Native {
        finding
            .severity(Severity::Warning)
            .help("it now works on 64 lanes on CDNA: size its storage and read its results accordingly, or name the number of threads")
    } else if given == size_at {
        let end = cx.range(tokens.end - 1).end;
        finding.fix(Fix::safe(vec![Edit::insert(end, ", 32")]))
    } else {
        finding
            .severity(Severity::Warning)
            .help("name the algorithm and 32 threads as template arguments")
    };
    cx.report(finding);
}

/// `cub::WarpReduce`, or the bare name in a file that uses the namespace.
fn is_of_cub(doc: &Document<'_>, index: TokenIndex) -> bool {
    match doc.prev(index) {
        Some(colons) if doc.is(colons, "::") => {
            doc.prev(colons).is_some_and(|space| doc.is(space, "cub"))
        }
        _ => (2..doc.tokens.len()).any(|at| {
            doc.is(at, "cub") && doc.is_before(at, "namespace") && doc.is(at - 2, "using")
        }),
    }
}
