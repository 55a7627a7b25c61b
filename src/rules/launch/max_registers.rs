//! A limit on the registers of a kernel.
//!
//! ## Why on AMD
//! `__maxnreg__` is unknown to clang. The attribute `amdgpu_num_vgpr` limits the vector registers of a kernel likewise, but AMD's
//! CDNA chips have up to 512 of them per lane where NVIDIA's allow 255: a limit chosen for NVIDIA is rarely the best one.
//!
//! ## Example
//! ```cuda
//! __global__ void __maxnreg__(64) k(float *x);
//! ```
//! becomes
//! ```hip
//! __global__ void __attribute__((amdgpu_num_vgpr(64))) k(float *x);
//! ```
//!
//! ## When to ignore
//! When the limit was measured on AMD.
//!
//! ## Source
//! clang attribute reference; HIP porting guide.

use crate::rules::prelude::*;

/// Writes the attribute of AMD's compiler.
pub static RULE: Rule = Rule {
    code: "CASS108",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 40,
    facts: &[],
    checks: &[Check::Claimed(&["__maxnreg__"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let Some(call) = cx.doc.call(index).filter(|call| call.arguments.len() == 1) else {
        return;
    };
    let edits = vec![
        Edit::replace(cx.range(index), "__attribute__((amdgpu_num_vgpr"),
        Edit::insert(cx.range(call.close).end, "))"),
    ];
    let finding = RULE
        .finding(call.range(cx.doc), "`__maxnreg__` becomes AMD's limit on vector registers")
        .help("measure without the limit and with `__launch_bounds__`: AMD GPUs have more registers than the limit was chosen for")
        .fix(Fix::review(edits));
    cx.report(finding);
}
