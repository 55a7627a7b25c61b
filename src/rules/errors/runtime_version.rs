//! A version number of the runtime or driver that is compared or taken apart.
//!
//! ## Why on AMD
//! `hipRuntimeGetVersion` and `hipDriverGetVersion` count as HIP does: 60443484 is HIP 6.4, where CUDA 12.4 is 12040. A comparison
//! with 11000 always holds, and `version / 1000` prints 60443.
//!
//! ## Example
//! ```cuda
//! cudaRuntimeGetVersion(&version);
//! printf("%d.%d\n", version / 1000, version % 100 / 10);
//! ```
//! becomes by hand
//! ```hip
//! hipRuntimeGetVersion(&version);
//! printf("%d.%d\n", version / 10000000, version / 100000 % 100);
//! ```
//!
//! ## When to ignore
//! When the number is only printed as it is.
//!
//! ## Source
//! `hip/hip_version.h` of ROCm 6.4.

use crate::cpp::functions::named_function;
use crate::rules::prelude::*;

/// Reports calls whose result is compared or divided.
pub static RULE: Rule = Rule {
    code: "CASS605",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[Fact::DecidedByPort],
    checks: &[Check::Idents(
        &[
            "cudaRuntimeGetVersion",
            "cudaDriverGetVersion",
            "cuDriverGetVersion",
        ],
        check,
    )],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let Some(call) = cx.doc.call(index) else {
        return;
    };
    let Some(variable) = (call.open..call.close)
        .filter(|&index| cx.doc.is_ident(index))
        .last()
    else {
        return;
    };
    let Some(function) = named_function(cx.doc, index) else {
        return;
    };
    let used = (call.close..function.body.end)
        .filter(|&index| cx.doc.bytes(index) == cx.doc.bytes(variable))
        .find(|&index| is_number_use(cx.doc, index));
    if let Some(used) = used {
        let message = format!(
            "`{}` returns HIP's version on AMD, and `{}` is compared or divided as a CUDA version",
            cx.text(index),
            cx.text(variable)
        );
        let finding = RULE
            .finding(cx.range(index), message)
            .label(cx.range(used), "used here")
            .help("decode it as major * 10000000 + minor * 100000 + patch, and compare with versions of HIP");
        cx.report(finding);
    }
}

fn is_number_use(doc: &Document<'_>, at: TokenIndex) -> bool {
    doc.next(at).is_some_and(|next| {
        let compared = matches!(doc.bytes(next), b">=" | b"<=" | b"==" | b"!=" | b"<" | b">");
        let number = doc
            .next(next)
            .filter(|&at| doc.tokens[at].kind == TokenKind::Number);
        matches!(doc.bytes(next), b"/" | b"%")
            || (compared && number.is_some_and(|at| doc.bytes(at).len() >= 4))
    })
}
