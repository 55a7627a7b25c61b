//! Something of PyTorch that its present releases no longer have, on either vendor.
//!
//! ## Why on AMD
//! ROCm's builds of PyTorch are recent ones. `AT_DISPATCH_…(x.type(), …)` does not compile with them, nor do headers of THC, which went
//! with PyTorch 1.11, and with them what they brought of ATen. What stands in their place is there since PyTorch 1.5 and means the same for NVIDIA.
//!
//! ## Example
//! ```cuda
//! #include <THC/THCAtomics.cuh>
//! void run(at::Tensor x) { AT_DISPATCH_FLOATING_TYPES(x.type(), "run", [&] { work<scalar_t>(x); }); }
//! ```
//! becomes
//! ```hip
//! #include <ATen/cuda/Atomic.cuh>
//! void run(at::Tensor x) { AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "run", [&] { work<scalar_t>(x); }); }
//! ```
//!
//! ## When to ignore
//! When the extension is for PyTorch before 1.5 alone.
//!
//! ## Source
//! `ATen/Dispatch.h` and `ATen/cuda/Atomic.cuh` of PyTorch 2.11; release notes of PyTorch 1.11.

use crate::rules::prelude::*;
use crate::text::whole_lines;

/// Writes what today's PyTorch has.
pub static RULE: Rule = Rule {
    code: "CASS646",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Include(of_include), Check::Source(dispatches)],
};

/// Headers that went with PyTorch 1.11, and what has their contents; empty where nothing is needed.
const HEADERS: &[(&str, &str)] = &[
    ("THC/THC.h", ""),
    ("THC/THCAtomics.cuh", "ATen/cuda/Atomic.cuh"),
    ("THC/THCDeviceUtils.cuh", "ATen/cuda/DeviceUtils.cuh"),
    ("THC/THCNumerics.cuh", "ATen/cuda/NumericLimits.cuh"),
    ("THC/THCGeneral.h", ""),
    ("THC/THCTensor.h", ""),
];

fn of_include(include: &Include, cx: &mut Context<'_, '_>) {
    if !cx.is_torch() {
        return;
    }
    let path = cx.text_of(include.path).into_owned();
    let Some((_, target)) = HEADERS.iter().find(|(old, _)| *old == path) else {
        return;
    };
    let finding = RULE.finding(
        include.directive,
        format!("PyTorch has no `{path}` since 1.11"),
    );
    if target.is_empty() && names_nothing_of_thc(cx.doc) {
        const CONTEXT: &str = "ATen/cuda/CUDAContext.h";
        let edit = match includes_also(cx, include, CONTEXT) {
            true => Edit::delete(line_of(cx, include.directive)),
            false => Edit::replace(include.path, CONTEXT),
        };
        let finding = finding.severity(Severity::Info);
        return cx.report(finding.fix(Fix::review(vec![edit])));
    }
    if target.is_empty() {
        return cx.report(finding.help("use ATen/cuda/CUDAContext.h and c10/cuda/CUDAException.h for what the file takes from it"));
    }
    let edit = Edit::replace(include.path, *target);
    let finding = finding
        .severity(Severity::Info)
        .fix(Fix::review(vec![edit]));
    cx.report(finding);
}

/// Whether another line of the file includes a header, under no condition.
fn includes_also(cx: &Context<'_, '_>, include: &Include, path: &str) -> bool {
    let mut others = cx.doc.includes.iter();
    others.any(|other| {
        let start = other.directive.start;
        start != include.directive.start
            && cx.doc.source.slice(other.path) == path.as_bytes()
            && cx.doc.is_sure_on_hip(start)
    })
}

/// The line of a directive, where nothing else stands in it.
fn line_of(cx: &Context<'_, '_>, directive: TextRange) -> TextRange {
    whole_lines(&cx.doc.source.bytes, directive).unwrap_or(directive)
}

/// Whether a file takes of THC what came with its headers at most: streams and devices of PyTorch. `THCState`, `THCudaCheck` are its own.
fn names_nothing_of_thc(doc: &Document<'_>) -> bool {
    let is_of_thc =
        |word: &[u8]| word.starts_with(b"TH") && word != b"THC" && !word.starts_with(b"THREAD");
    !doc.has_word(is_of_thc)
}

/// `AT_DISPATCH_FLOATING_TYPES(x.type(), …)`.
fn dispatches(cx: &mut Context<'_, '_>) {
    if !cx.is_torch() {
        return;
    }
    let macros = cx.doc.all_that(|word| word.starts_with(b"AT_DISPATCH_"));
    for name in macros {
        let Some(argument) = cx
            .doc
            .call(name)
            .and_then(|call| type_argument(cx.doc, &call))
        else {
            continue;
        };
        let tokens = argument.end - 4..argument.end;
        let words: Vec<&[u8]> = tokens.clone().map(|at| cx.doc.bytes(at)).collect();
        if let [b"." | b"->", b"type", b"(", b")"] = words[..] {
            let range = cx.range(tokens.start + 1);
            let finding = RULE.finding(
                range,
                "PyTorch dispatches on `scalar_type()`; `type()` no longer converts to one",
            );
            cx.report(
                finding
                    .severity(Severity::Info)
                    .fix(Fix::safe(vec![Edit::replace(range, "scalar_type")])),
            );
        }
    }
}

/// The argument that says the type: the first one that ends in a call without arguments.
fn type_argument(doc: &Document<'_>, call: &Call) -> Option<std::ops::Range<TokenIndex>> {
    let ends_in_call = |tokens: &&std::ops::Range<TokenIndex>| {
        tokens.len() >= 5 && doc.is(tokens.end - 1, ")") && doc.is(tokens.end - 2, "(")
    };
    call.arguments.iter().find(ends_in_call).cloned()
}
