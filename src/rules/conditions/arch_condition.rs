//! A condition or expression about `__CUDA_ARCH__`, which is undefined on AMD.
//!
//! ## Why on AMD
//! In `#if` an undefined macro counts as 0: `__CUDA_ARCH__ >= 700` is false and AMD silently compiles the oldest code path, and
//! `#ifdef __CUDA_ARCH__` gives AMD's device pass the host's branch. Where the branch that was meant is certain the condition gains
//! a term for `__HIP_DEVICE_COMPILE__`. AMD counts as a chip of compute capability 8.0: branches for newer ones hold what AMD lacks.
//! A branch that holds inline assembly or names without counterpart is not forced upon AMD: the finding says what it holds.
//!
//! ## Example
//! ```cuda
//! #ifdef __CUDA_ARCH__
//!   return __popc(x);
//! #else
//!   return count_bits(x);
//! #endif
//! ```
//! becomes
//! ```hip
//! #if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
//!   return __popc(x);
//! #else
//!   return count_bits(x);
//! #endif
//! ```
//!
//! ## When to ignore
//! When the branch that AMD takes is the right one for your GPUs.
//!
//! ## Source
//! HIP porting guide, "Identifying the target platform"; predefined macros of clang 19.

use crate::analysis::conditions::{findings, verdict};
use crate::cpp::conditions::cuda_macros::Family;
use crate::rules::prelude::*;

/// Extends conditions about the device pass and the chip; reports what cannot be extended.
pub static RULE: Rule = Rule {
    code: "CASS601",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 20,
    facts: &[Fact::NvccReadsResult, Fact::DecidedByPort],
    checks: &[
        Check::Idents(&["__CUDA_ARCH__", "__CUDA_ARCH_LIST__"], check),
        Check::Source(conditions),
    ],
};

fn conditions(cx: &mut Context<'_, '_>) {
    for finding in findings::findings(cx, RULE.id(), Family::Arch) {
        cx.report(finding);
    }
}

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let token = cx.doc.tokens[index];
    let name = cx.text(index);
    let is_list = name == "__CUDA_ARCH_LIST__";
    if token.has(flags::DIRECTIVE) && !token.has(flags::MACRO_BODY) && !is_list {
        return;
    }
    if verdict::is_in_branch_about(cx, index, Family::Arch) {
        return;
    }
    let message = format!("`{name}` has no value on AMD");
    let finding = RULE
        .finding(cx.range(index), message)
        .severity(if token.has(flags::DIRECTIVE) { Severity::Warning } else { Severity::Error })
        .help("test `__HIP_DEVICE_COMPILE__` for device code and macros such as `__gfx90a__` for the chip; there is no number to compare");
    cx.report(finding);
}
