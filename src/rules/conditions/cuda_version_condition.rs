//! A condition or expression about the version of CUDA, which is undefined on AMD.
//!
//! ## Why on AMD
//! `CUDART_VERSION`, `CUDA_VERSION` and `__CUDACC_VER_MAJOR__` count as 0 in `#if`, so AMD silently compiles the code for the oldest
//! CUDA: shims for `__shfl_sync`, calls that were removed since. HIP has the interfaces of CUDA 12.0 about; where a test for that
//! version or an older one decides, the condition gains a term for AMD. `HIP_VERSION` counts otherwise (6.4.1 is 60400000 and some)
//! and cannot stand in for it. `CUDNN_MAJOR` and `CUDNN_VERSION` are read in the same way: MIOpen has what cuDNN 7.6 has, and its own
//! numbers count from 1. So are the versions of cuBLAS, cuSPARSE, cuSOLVER, cuFFT and cuRAND: the libraries of ROCm have what those of
//! CUDA 12 have.
//!
//! ## Example
//! ```cuda
//! #if CUDART_VERSION >= 9000
//!   v += __shfl_down_sync(~0u, v, 1);
//! #endif
//! ```
//! becomes
//! ```hip
//! #if CUDART_VERSION >= 9000 || defined(__HIP_PLATFORM_AMD__)
//! ```
//! A macro of the project that compares, `#define AT_LEAST(a) (CUDNN_VERSION >= (a))`, gets a second definition with the number of the
//! version that AMD resembles. Where code itself compares, asserts or tells the release of CUDA or cuDNN, it becomes that of the
//! interface, `cass_CUDART_VERSION` and `cass_CUDNN_VERSION` of the helper header.
//!
//! ## When to ignore
//! When the branch that AMD takes is the right one.
//!
//! ## Source
//! HIP porting guide; `hip/hip_version.h`, `miopen/version.h` and `hipblas-version.h` of ROCm 6.4; headers of CUDA 12.9.

use crate::analysis::conditions::version_macro::{VersionMacro, version_macro};
use crate::analysis::conditions::{findings, verdict};
use crate::analysis::helpers::function_for;
use crate::compat;
use crate::cpp::conditions::cuda_macros::Family;
use crate::options::CompatMode;
use crate::rules::prelude::*;

/// Extends tests of CUDA's version that AMD should pass; reports the others and uses outside of conditions.
pub static RULE: Rule = Rule {
    code: "CASS602",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 20,
    facts: &[Fact::NvccReadsResult, Fact::DecidedByPort],
    checks: &[
        Check::Claimed(OF_CUDA, check),
        Check::Idents(
            &[
                "__CUDACC_VER_MAJOR__",
                "__CUDACC_VER_MINOR__",
                "__CUDACC_VER_BUILD__",
            ],
            check,
        ),
        Check::Claimed(OF_LIBRARIES, check),
        Check::Source(conditions),
    ],
};

/// Versions of CUDA: where code itself has them, they become that of the interfaces.
const OF_CUDA: &[&str] = &["CUDART_VERSION", "CUDA_VERSION"];

/// Versions of CUDA's libraries: outside of conditions the tables say what becomes of them.
const OF_LIBRARIES: &[&str] = &[
    "CUDNN_MAJOR",
    "CUDNN_MINOR",
    "CUDNN_PATCHLEVEL",
    "CUDNN_VERSION",
    "CUBLAS_VER_MAJOR",
    "CUBLAS_VER_MINOR",
    "CUBLAS_VERSION",
    "CUSPARSE_VER_MAJOR",
    "CUSPARSE_VER_MINOR",
    "CUSPARSE_VERSION",
    "CUSOLVER_VER_MAJOR",
    "CUSOLVER_VER_MINOR",
    "CUSOLVER_VERSION",
    "CUFFT_VER_MAJOR",
    "CUFFT_VER_MINOR",
    "CUFFT_VERSION",
    "CURAND_VER_MAJOR",
    "CURAND_VERSION",
];

fn conditions(cx: &mut Context<'_, '_>) {
    for finding in findings::findings(cx, RULE.id(), Family::Version) {
        cx.report(finding);
    }
}

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let token = cx.doc.tokens[index];
    if (token.has(flags::DIRECTIVE) && !token.has(flags::MACRO_BODY))
        || crate::cpp::names::is_members_name(cx.doc, index)
    {
        return;
    }
    // Of a branch for nvcc that AMD is left without, the finding about that speaks.
    let is_of_compiler = cx.doc.bytes(index).starts_with(b"__CUDACC_VER_");
    let is_chosen = verdict::is_in_branch_about(cx, index, Family::Version)
        || is_of_compiler && verdict::is_in_branch_for_nvcc(cx, index);
    if is_chosen && !OF_LIBRARIES.iter().any(|name| cx.doc.is(index, name)) {
        return;
    }
    if token.has(flags::DIRECTIVE)
        && let Some(found) = version_macro(cx, index)
    {
        if found.first == index {
            report_macro(cx, found);
        }
        return;
    }
    if OF_LIBRARIES.iter().any(|name| cx.doc.is(index, name)) {
        return match by_helper(cx, index) {
            Some(finding) => cx.report(finding),
            None if is_chosen => {}
            None => cx.ask_tables(index),
        };
    }
    let is_in_code = !token.has(flags::DIRECTIVE) && !cx.is_torch();
    if is_in_code && let Some(finding) = by_helper(cx, index) {
        return cx.report(finding);
    }
    let finding = RULE
        .finding(cx.range(index), format!("`{}` has no value on AMD", cx.text(index)))
        .severity(if token.has(flags::DIRECTIVE) { Severity::Warning } else { Severity::Error })
        .help("print or compare `HIP_VERSION` (major * 10000000 + minor * 100000 + patch) for AMD; its numbers cannot be compared with those of CUDA");
    cx.report(finding);
}

/// The version by the macro of the helper header that stands for it, where there is one: it says what conditions are decided by.
fn by_helper(cx: &Context<'_, '_>, index: TokenIndex) -> Option<Finding> {
    let name = cx.text(index);
    let function = function_for(&name).filter(|_| cx.options().compat != CompatMode::None)?;
    let limit = compat::find(function).map_or("", |helper| helper.limit);
    let message = format!("`{name}` becomes `{function}` of the helper header");
    let edit = Edit::replace(cx.range(index), function);
    let finding = RULE.finding(cx.range(index), message).helper(function);
    Some(
        finding
            .severity(Severity::Warning)
            .help(limit)
            .fix(Fix::review(vec![edit])),
    )
}

/// A macro that compares the version is another one on AMD.
fn report_macro(cx: &mut Context<'_, '_>, found: VersionMacro) {
    let name = cx.text(found.name).into_owned();
    let version = cx.text(found.first).into_owned();
    let numbers = found.numbers.iter();
    let numbers: Vec<String> = numbers
        .map(|it| format!("{} {}", it.name, it.value))
        .collect();
    let message = format!("`{version}` has no value on AMD, which `{name}` compares");
    let help = format!(
        "AMD now counts as {}; check that the code which `{name}` selects suits AMD",
        numbers.join(", ")
    );
    let finding = RULE.finding(cx.range(found.first), message).help(help);
    cx.report(finding.fix(Fix::review(found.edits)));
}
