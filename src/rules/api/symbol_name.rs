//! A device variable that a call names by a string.
//!
//! ## Why on AMD
//! Before CUDA 5 `cudaMemcpyToSymbol("name", …)` looked the variable up by its name. HIP takes the address of whatever stands there,
//! so the call compiles and fails, or copies to another place, when it runs.
//!
//! ## Example
//! ```cuda
//! cudaMemcpyToSymbol("table", host, sizeof(table));
//! ```
//! becomes, by hand
//! ```hip
//! hipMemcpyToSymbol(HIP_SYMBOL(table), host, sizeof(table));
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! `hip/hip_runtime_api.h` of ROCm 6.4 (`const void* symbol`); CUDA 5.0 release notes, which removed the form.

use crate::rules::prelude::*;

/// Reports the string.
pub static RULE: Rule = Rule {
    code: "CASS014",
    severity: Severity::Error,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Idents(
        &[
            "cudaMemcpyToSymbol",
            "cudaMemcpyFromSymbol",
            "cudaMemcpyToSymbolAsync",
            "cudaMemcpyFromSymbolAsync",
            "cudaGetSymbolAddress",
            "cudaGetSymbolSize",
        ],
        check,
    )],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let comes_first = cx.doc.bytes(index).starts_with(b"cudaMemcpyToSymbol");
    let symbol = cx
        .doc
        .call(index)
        .and_then(|call| call.arguments.get(usize::from(!comes_first)).cloned())
        .map(|argument| argument.start)
        .filter(|&first| cx.doc.tokens[first].kind == TokenKind::Str);
    if let Some(symbol) = symbol {
        let finding = RULE
            .finding(
                cx.range(symbol),
                "HIP does not look up a symbol by its name in a string",
            )
            .help("pass the variable itself, in `HIP_SYMBOL(…)`");
        cx.report(finding);
    }
}
