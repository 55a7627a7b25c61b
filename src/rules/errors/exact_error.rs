//! A comparison with an error code that AMD's runtime does not return in the same case.
//!
//! ## Why on AMD
//! A kernel that touches memory which is not its own ends the whole process with a memory fault, so no code runs on to see
//! `cudaErrorIllegalAddress`. What calls return for wrong launch configurations and stale handles differs from CUDA's code and
//! between releases; 7.0 brought many of them closer.
//!
//! ## Example
//! ```cuda
//! if (cudaDeviceSynchronize() == cudaErrorIllegalAddress) recover();
//! ```
//!
//! ## When to ignore
//! When the branch only chooses the words of a message.
//!
//! ## Source
//! HIP 7.0 changes, error codes; HIP how-to, debugging: memory access faults.

use crate::rules::prelude::*;

/// Reports comparisons with such codes.
pub static RULE: Rule = Rule {
    code: "CASS610",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Idents(
        &[
            "cudaErrorIllegalAddress",
            "cudaErrorInvalidConfiguration",
            "cudaErrorInvalidResourceHandle",
            "CUDA_ERROR_ILLEGAL_ADDRESS",
            "CUDA_ERROR_INVALID_HANDLE",
        ],
        check,
    )],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let compares = |sign: Option<TokenIndex>| {
        sign.is_some_and(|sign| cx.doc.is(sign, "==") || cx.doc.is(sign, "!="))
    };
    if !compares(cx.doc.prev(index)) && !compares(cx.doc.next(index)) {
        return;
    }
    let fault = matches!(
        cx.doc.bytes(index),
        b"cudaErrorIllegalAddress" | b"CUDA_ERROR_ILLEGAL_ADDRESS"
    );
    let (message, help) = if fault {
        (
            "a memory fault ends the process on AMD: no call returns this error code",
            "do not rely on continuing after a fault; find it with a debug build",
        )
    } else {
        (
            "AMD's runtime does not return this error code in all cases in which CUDA does",
            "compare with hipSuccess, or find out which code AMD's runtime returns",
        )
    };
    cx.report(RULE.finding(cx.range(index), message).help(help));
}
