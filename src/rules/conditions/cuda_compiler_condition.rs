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
//! ## When to ignore
//! When the guarded code is about a defect of nvcc.
//!
//! ## Source
//! HIP porting guide; predefined macros of clang 19.

use crate::analysis::conditions::findings;
use crate::cpp::conditions::cuda_macros::Family;
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
        cx.report(finding);
    }
}

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let finding = RULE
        .finding(cx.range(index), "`__CUDACC_RTC__` becomes `__HIPCC_RTC__`")
        .severity(Severity::Info)
        .fix(Fix::safe(vec![Edit::replace(
            cx.range(index),
            "__HIPCC_RTC__",
        )]));
    cx.report(finding);
}
