//! A grid or block of a launch that is a `uint3`, or a list in braces.
//!
//! ## Why on AMD
//! CUDA's `dim3` is made of a `uint3` where one is wanted. HIP's is made of numbers only. nvcc takes a list in braces between the
//! brackets of a launch, clang does not.
//!
//! ## Example
//! ```cuda
//! uint3 grid = make_uint3(8, 8, 1);
//! scale<<<grid, 64>>>(p);
//! scale<<<{8, 8}, {n}>>>(p);
//! ```
//! becomes
//! ```hip
//! uint3 grid = make_uint3(8, 8, 1);
//! scale<<<dim3(grid.x, grid.y, grid.z), 64>>>(p);
//! scale<<<dim3(8, 8), dim3(n)>>>(p);
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! `vector_types.h` of CUDA 13.0; `hip/amd_detail/amd_hip_vector_types.h` and `hip/hip_runtime_api.h` of ROCm 6.4;
//! compiled with clang 19: "expected expression".

use std::ops::Range;

use crate::cpp::declarations::declared;
use crate::rules::prelude::*;

/// Makes a `dim3` of it.
pub static RULE: Rule = Rule {
    code: "CASS119",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 20,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Launch(check)],
};

fn check(launch: &LaunchSite, cx: &mut Context<'_, '_>) {
    for argument in launch.config.iter().take(2) {
        let found = of_vector(cx, argument).or_else(|| of_list(cx, argument));
        if let Some(finding) = found {
            cx.report(finding);
        }
    }
}

/// `grid`, which is a `uint3`.
fn of_vector(cx: &Context<'_, '_>, argument: &Range<TokenIndex>) -> Option<Finding> {
    let index = argument.start;
    let found = (argument.len() == 1 && cx.doc.is_ident(index))
        .then(|| declared(cx.doc, index))
        .flatten();
    if found.is_none_or(|found| found.pointers > 0 || !found.is_any(&["uint3"])) {
        return None;
    }
    let (range, name) = (cx.range(index), cx.text(index));
    let text = format!("dim3({name}.x, {name}.y, {name}.z)");
    let finding = RULE.finding(range, "`uint3` does not convert to `dim3` in HIP");
    Some(finding.fix(Fix::safe(vec![Edit::replace(range, text)])))
}

/// `{8, 8}`. Parentheses let `int` become `unsigned`, as nvcc does between braces.
fn of_list(cx: &Context<'_, '_>, argument: &Range<TokenIndex>) -> Option<Finding> {
    let open = argument.start;
    let is_list = !argument.is_empty() && cx.doc.is(open, "{");
    let close = cx
        .doc
        .matching_bracket(open)
        .filter(|&close| is_list && close + 1 == argument.end)?;
    let edits = vec![
        Edit::replace(cx.range(open), "dim3("),
        Edit::replace(cx.range(close), ")"),
    ];
    let message = "clang rejects a braced list as a launch parameter";
    Some(
        RULE.finding(cx.doc.range(open, close), message)
            .fix(Fix::safe(edits)),
    )
}
