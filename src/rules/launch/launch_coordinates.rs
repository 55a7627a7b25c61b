//! A grid or block of a launch that is a `uint3`.
//!
//! ## Why on AMD
//! CUDA's `dim3` is made of a `uint3` where one is wanted. HIP's is made of numbers only.
//!
//! ## Example
//! ```cuda
//! uint3 grid = make_uint3(8, 8, 1);
//! scale<<<grid, 64>>>(p);
//! ```
//! becomes
//! ```hip
//! uint3 grid = make_uint3(8, 8, 1);
//! scale<<<dim3(grid.x, grid.y, grid.z), 64>>>(p);
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! `vector_types.h` of CUDA 13.0; `hip/amd_detail/amd_hip_vector_types.h` and `hip/hip_runtime_api.h` of ROCm 6.4.

use crate::cpp::declarations::declared;
use crate::rules::prelude::*;

/// Makes a `dim3` of it.
pub static RULE: Rule = Rule {
    code: "CASS119",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 20,
    triggers: &[Trigger::Launch],
    check,
};

fn check(at: At<'_>, cx: &mut Context<'_, '_>) {
    let At::Launch(launch) = at else { return };
    for argument in launch.config.iter().take(2).filter(|it| it.len() == 1) {
        let index = argument.start;
        let is_uint3 = cx.doc.is_ident(index)
            && declared(cx.doc, index)
                .is_some_and(|found| found.pointers == 0 && found.is_any(&["uint3"]));
        if is_uint3 {
            let (range, name) = (cx.range(index), cx.text(index));
            let text = format!("dim3({name}.x, {name}.y, {name}.z)");
            let finding = RULE
                .finding(range, "`uint3` does not convert to `dim3` in HIP")
                .fix(Fix::safe(vec![Edit::replace(range, text)]));
            cx.report(finding);
        }
    }
}
