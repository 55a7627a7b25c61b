//! A barrier among the lanes of a warp.
//!
//! ## Why on AMD
//! `__syncwarp` exists from ROCm 7.0, where its mask must have 64 bits; before that the name is unknown. Lanes run in step, so
//! no lane has to wait, but the compiler may still move memory accesses of one lane past those of another. A fence of wavefront
//! scope and a wave barrier, which the helper holds, forbid that and cost nothing at run time. Deleting the call does not.
//!
//! ## Example
//! ```cuda
//! shared[lane] = x;
//! __syncwarp();
//! ```
//! becomes
//! ```hip
//! shared[lane] = x;
//! cass_syncwarp();
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! `hip/amd_detail/amd_warp_sync_functions.h` of ROCm 7.1; LLVM documentation, AMDGPU memory model.

use crate::cpp::calls::trusted_call;
use crate::cpp::expressions::is_pure;
use crate::cpp::names::{is_for_preprocessor, is_members_name};
use crate::options::CompatMode;
use crate::rules::prelude::*;
use crate::text::keywords::is_no_name;

/// Replaces warp barriers.
pub static RULE: Rule = Rule {
    code: "CASS202",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[Fact::DoneByShimLine],
    checks: &[Check::Claimed(&["__syncwarp"], check)],
};

const INLINE: &str =
    "(__builtin_amdgcn_fence(__ATOMIC_ACQ_REL, \"wavefront\"), __builtin_amdgcn_wave_barrier())";

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    if is_members_name(cx.doc, index)
        // A definition of the project in a branch for old toolkits.
        || cx.doc.is_before(index, "void") || is_for_preprocessor(cx.doc, index)
    {
        return;
    }
    let finding = if cx.options().compat == CompatMode::None {
        inline(cx, index)
    } else {
        RULE.finding(cx.range(index), "`__syncwarp` becomes `cass_syncwarp`")
            .helper("cass_syncwarp")
            .fix(Fix::safe(vec![Edit::replace(
                cx.range(index),
                "cass_syncwarp",
            )]))
    };
    cx.report(finding);
}

fn inline(cx: &Context<'_, '_>, index: TokenIndex) -> Finding {
    // Behind a name the parentheses of the expression would call it.
    let behind_name = cx
        .doc
        .prev(index)
        .is_some_and(|at| cx.doc.is_ident(at) && !is_no_name(cx.doc.bytes(at)));
    let call = trusted_call(cx.doc, index).filter(|_| !behind_name);
    let pure = call.filter(|call| {
        call.arguments
            .iter()
            .all(|mask| is_pure(cx.doc, mask.clone()))
    });
    let finding = RULE.finding(
        cx.range(index),
        "`__syncwarp` becomes a wavefront fence and a wave barrier",
    );
    match pure {
        Some(call) => finding.fix(Fix::safe(vec![Edit::replace(call.range(cx.doc), INLINE)])),
        None => finding
            .severity(Severity::Error)
            .help(format!("write `{INLINE}` in place of each use")),
    }
}
