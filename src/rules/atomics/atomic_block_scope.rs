//! An atomic of block scope: `atomicAdd_block` and the like.
//!
//! ## Why on AMD
//! HIP has atomics of device and of system scope under CUDA's names, but none of block scope. The helper uses clang's builtin with
//! the scope of a work-group, which says the same.
//!
//! ## Example
//! ```cuda
//! atomicAdd_block(&count, 1);
//! ```
//! becomes
//! ```hip
//! cass_atomicAdd_block(&count, 1);
//! ```
//! With `--compat none` it becomes `atomicAdd(&count, 1)`: a wider scope, which is right and may be slower.
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! `hip/amd_detail/amd_hip_atomic.h` of ROCm 6.4; LLVM documentation, HIP support, `__hip_atomic` builtins.

use crate::cpp::names::is_for_preprocessor;
use crate::cpp::names::is_members_name;
use crate::options::CompatMode;
use crate::rules::prelude::*;

/// Replaces atomics of block scope.
pub static RULE: Rule = Rule {
    code: "CASS220",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[],
    checks: &[Check::Replaced(&["cass_atomic_block"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    if is_members_name(cx.doc, index) || is_for_preprocessor(cx.doc, index) {
        return;
    }
    let name = cx.text(index).into_owned();
    let finding = if cx.options().compat == CompatMode::None {
        let wider = name.trim_end_matches("_block").to_owned();
        RULE.finding(
            cx.range(index),
            format!("`{name}` becomes `{wider}`, which has device scope"),
        )
        .fix(Fix::safe(vec![Edit::replace(cx.range(index), wider)]))
    } else {
        let helper = format!("cass_{name}");
        RULE.finding(cx.range(index), format!("`{name}` becomes `{helper}`"))
            .helper("cass_atomic_block")
            .fix(Fix::safe(vec![Edit::replace(cx.range(index), helper)]))
    };
    cx.report(finding);
}
