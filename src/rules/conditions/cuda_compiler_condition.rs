//! A condition that asks for NVIDIA's compiler.
//!
//! ## Why on AMD
//! `__CUDACC__` and `__NVCC__` say "a compiler that reads `__global__`". HIP's compiler does, but defines `__HIPCC__`: without a term
//! for it the device code that the condition guards vanishes, or a header declares `__device__` away.
//!
//! ## Example
//! ```cuda
//! #ifdef __CUDACC__
//! #define HOST_DEVICE __host__ __device__
//! #else
//! #define HOST_DEVICE
//! #endif
//! ```
//! becomes
//! ```hip
//! #if defined(__CUDACC__) || defined(__HIPCC__)
//! #define HOST_DEVICE __host__ __device__
//! #else
//! #define HOST_DEVICE
//! #endif
//! ```
//!
//! In what PyTorch's build renames the condition stays: it writes `__HIPCC__` there itself.
//!
//! ## When to ignore
//! When the guarded code is about a defect of nvcc.
//!
//! ## Source
//! HIP porting guide; predefined macros of clang 19.

use crate::analysis::conditions::findings;
use crate::analysis::moved_by_torch::reads;
use crate::cpp::conditions::cuda_macros::Family;
use crate::options::Vendors;
use crate::rules::prelude::*;

/// Extends conditions about the compiler.
pub static RULE: Rule = Rule {
    code: "CASS603",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 20,
    facts: &[Fact::NvccReadsResult, Fact::DecidedByPort],
    checks: &[
        Check::Idents(&["__CUDACC_RTC__"], check),
        Check::Source(conditions),
    ],
};

fn conditions(cx: &mut Context<'_, '_>) {
    for finding in findings::findings(cx, RULE.id(), Family::Compiler) {
        if !is_done_by_torch(&finding, cx) {
            cx.report(finding);
        }
    }
}

/// Whether PyTorch's build makes the change: it writes `__HIPCC__` for each `__CUDACC__`, and knows no other name of a compiler.
fn is_done_by_torch(finding: &Finding, cx: &Context<'_, '_>) -> bool {
    let text = cx.text_of(finding.range);
    let others = ["__NVCC__", "__CUDACC_", "__CUDA_ARCH__", "CUDART_VERSION"];
    let names = text.replace("__CUDACC__", "");
    // `--vendors both` takes the ways of this dialect without PyTorch's build.
    cx.is_torch()
        && cx.options().vendors != Vendors::Both
        && reads(&cx.doc.source.path)
        && text.contains("__CUDACC__")
        && !others.iter().any(|other| names.contains(other))
}

/// `__CUDACC_RTC__`, which NVRTC defines as hiprtc does `__HIPCC_RTC__`: headers that a program compiles at run time ask for both.
fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let range = cx.range(index);
    let start = range.start;
    let at = doc.directives.partition_point(|it| it.range.end < start);
    let directive = doc.directives.get(at).filter(|it| it.range.start < start);
    let Some(directive) = directive else { return };
    if directive
        .tokens
        .clone()
        .any(|at| doc.is(at, "__HIPCC_RTC__"))
    {
        return;
    }
    const BOTH: &str = "defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)";
    let head = directive.tokens.start + 1;
    let edit = match doc.bytes(head) {
        b"ifdef" => Edit::replace(
            TextRange::new(cx.range(head).start, range.end),
            format!("if {BOTH}"),
        ),
        b"ifndef" => Edit::replace(
            TextRange::new(cx.range(head).start, range.end),
            format!("if !({BOTH})"),
        ),
        b"if" | b"elif" => match operand(doc, index) {
            Some(operand) => Edit::replace(operand, format!("({BOTH})")),
            None => return,
        },
        _ => return,
    };
    let finding = RULE
        .finding(
            range,
            "`__CUDACC_RTC__` of NVRTC is `__HIPCC_RTC__` of hiprtc",
        )
        .severity(Severity::Info)
        .fix(Fix::safe(vec![edit]));
    cx.report(finding);
}

/// `defined(NAME)` or `defined NAME` around a name.
fn operand(doc: &Document<'_>, name: TokenIndex) -> Option<TextRange> {
    let first = match doc.is_before(name, "(") {
        true => name.checked_sub(2)?,
        false => name.checked_sub(1)?,
    };
    let last = if first + 2 == name { name + 1 } else { name };
    doc.is(first, "defined").then(|| doc.range(first, last))
}
