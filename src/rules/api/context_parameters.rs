//! Parameters of `cuCtxCreate`, as from CUDA 12.5 on (`cuCtxCreate_v4`).
//!
//! ## Why on AMD
//! HIP has neither the structure nor the parameter: `hipCtxCreate` takes the context, flags and a device. A `CUctxCreateParams` that is
//! only handed to `cuCtxCreate` goes with the argument; one with members that the program sets asks for what HIP does not have.
//!
//! ## Example
//! ```cuda
//! CUctxCreateParams parameters = {};
//! cuCtxCreate(&context, &parameters, 0, device);
//! ```
//! becomes
//! ```hip
//! hipCtxCreate(&context, 0, device);
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! `cuda.h` of CUDA 13.0, where `cuCtxCreate` is `cuCtxCreate_v4`; `hip/hip_runtime_api.h` of ROCm 6.4.

use crate::cpp::calls::enclosing_call;
use crate::cpp::deletion::delete_lines;
use crate::cpp::functions::named_function;
use crate::rules::prelude::*;

/// Deletes the variable.
pub static RULE: Rule = Rule {
    code: "CASS022",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    facts: &[],
    checks: &[Check::Claimed(&["CUctxCreateParams"], check)],
};

const CREATE: &[&str] = &["cuCtxCreate", "cuCtxCreate_v4"];

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    match empty_variable(cx.doc, index) {
        Some(edits) => cx.report(
            RULE.finding(cx.range(index), "HIP has no parameters of a context")
                .help("nothing is lost: none of them is set")
                .fix(Fix::review(edits)),
        ),
        None => cx.ask_tables(index),
    }
}

/// What deletes the variable that is declared with the type at `index`, if nothing is ever put into it.
fn empty_variable(doc: &Document<'_>, index: TokenIndex) -> Option<Vec<Edit>> {
    let before = doc.prev(index)?;
    let name = doc.next(index).filter(|&at| doc.is_ident(at))?;
    let is_statement = matches!(doc.bytes(before), b";" | b"{" | b"}");
    let end = end_of_empty(doc, name).filter(|_| is_statement)?;
    let within = named_function(doc, index)?.body.clone();
    let called = doc.all_called(vec![doc.bytes(name)]).into_iter();
    let uses: Vec<TokenIndex> = called
        .filter(|at| within.contains(at) && *at != name && !doc.is_before(*at, "."))
        .collect();
    let is_handed_over = |at: &TokenIndex| *at > end && is_parameter(doc, *at);
    (!uses.is_empty() && uses.iter().all(is_handed_over))
        .then(|| vec![delete_lines(doc, doc.range(index, end))])
}

/// The semicolon of `name;`, `name{};`, `name = {};` and `name = {0};`.
fn end_of_empty(doc: &Document<'_>, name: TokenIndex) -> Option<TokenIndex> {
    let mut at = doc.next(name)?;
    if doc.is(at, "=") {
        at = doc.next(at)?;
    }
    if doc.is(at, "{") {
        let close = doc.matching_bracket(at)?;
        let is_nothing = |at| matches!(doc.bytes(at), b"0" | b"NULL" | b"nullptr" | b",");
        if !(at + 1..close).all(is_nothing) {
            return None;
        }
        at = doc.next(close)?;
    }
    doc.is(at, ";").then_some(at)
}

/// Whether a name stands in `&name`, the argument of `cuCtxCreate` that goes.
fn is_parameter(doc: &Document<'_>, at: TokenIndex) -> bool {
    let call = enclosing_call(doc, at).filter(|&call| CREATE.iter().any(|name| doc.is(call, name)));
    let call = call.and_then(|call| doc.call(call));
    call.is_some_and(|call| {
        let argument = call.arguments.get(1);
        let is_it = argument.is_some_and(|it| *it == (at - 1..at + 1) && doc.is(at - 1, "&"));
        is_it && call.arguments.len() == 4
    })
}
