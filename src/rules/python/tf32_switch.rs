//! TF32, a format of NVIDIA's matrix units, switched on or off.
//!
//! ## Why on AMD
//! The switches exist in PyTorch for ROCm. MIOpen has no TF32, so that of cuDNN does nothing; that of matrix products acts on MI300 alone.
//! Results are those of plain float elsewhere: closer, and at its speed.
//!
//! ## Example
//! ```python
//! torch.backends.cudnn.allow_tf32 = True
//! ```
//!
//! ## When to ignore
//! When neither a tolerance nor a time was tuned to TF32.
//!
//! ## Source
//! PyTorch documentation, "HIP (ROCm) semantics", "TensorFloat-32 (TF32) on ROCm".

use crate::rules::prelude::*;

/// Notes the switches.
pub static RULE: Rule = Rule {
    code: "CASS675",
    severity: Severity::Info,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(&[&["allow_tf32"], &["backends"]], check)],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    let mut findings = Vec::new();
    for node in file.all(&["assignment"]) {
        let Some(left) = node.child_by_field_name("left") else {
            continue;
        };
        let text = file.dotted(left);
        if text.ends_with("backends.cudnn.allow_tf32")
            || text.ends_with("backends.cuda.matmul.allow_tf32")
        {
            let message = "TF32 is a format of NVIDIA's: on AMD the switch acts for matrix products on MI300 alone";
            findings.push(RULE.finding(file.range(left), message));
        }
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}
