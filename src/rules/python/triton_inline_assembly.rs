//! PTX in a Triton kernel.
//!
//! ## Why on AMD
//! `tl.inline_asm_elementwise` hands its text to the assembler of the GPU. That of AMD reads the instructions of AMD GPUs, and the
//! compilation ends with `invalid instruction`.
//!
//! ## Example
//! ```python
//! y = tl.inline_asm_elementwise("cvt.rna.tf32.f32 $0, $1;", "=r,r", [x], tl.float32, is_pure=True, pack=1)
//! ```
//!
//! ## When to ignore
//! When a constant of the kernel keeps the branch from AMD.
//!
//! ## Source
//! Triton 3.6, compiled for gfx942: `tests/triton`.

use crate::rules::prelude::*;

/// Reports inline assembly.
pub static RULE: Rule = Rule {
    code: "CASS680",
    severity: Severity::Error,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(check)],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file;
    if !file.imports("triton") {
        return;
    }
    let strings = cx.strings();
    let calls = strings
        .calls("inline_asm_elementwise")
        .iter()
        .filter(|call| file.side(**call).is_none());
    let findings: Vec<Finding> = calls
        .map(|call| {
            RULE.finding(file.range(*call), "inline PTX in a Triton kernel does not assemble for AMD")
                .help("write the operation in tl, or pass a `tl.constexpr` that says whether the backend is HIP and branch on it")
        })
        .collect();
    findings.into_iter().for_each(|finding| cx.report(finding));
}
