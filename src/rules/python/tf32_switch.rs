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
//! When neither a tolerance nor a time was tuned to TF32. To switch it off, or back to what it was, gives no finding.
//!
//! ## Source
//! PyTorch documentation, "HIP (ROCm) semantics", "TensorFloat-32 (TF32) on ROCm".

use crate::python::{Node, PyFile};
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
        let value = node.child_by_field_name("right");
        if value.is_some_and(|it| leaves_precision(file, it)) {
            continue;
        }
        if text.ends_with("backends.cudnn.allow_tf32")
            || text.ends_with("backends.cuda.matmul.allow_tf32")
        {
            let message = "TF32 is a format of NVIDIA's: on AMD the switch acts for matrix products on MI300 alone";
            findings.push(RULE.finding(file.range(left), message));
        }
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// Whether a switch is put to full precision, or back to what it was: `= False`, `= before` behind `before = torch.….allow_tf32`.
fn leaves_precision(file: &PyFile<'_>, value: Node<'_>) -> bool {
    let is_kept = |name: Node<'_>| {
        let kept = file.assignments_to(&file.text(name)).into_iter();
        let mut kept = kept.filter_map(|it| it.child_by_field_name("right"));
        kept.any(|it| file.dotted(it).ends_with("allow_tf32"))
    };
    match value.kind() {
        "false" => true,
        "identifier" => is_kept(value),
        _ => false,
    }
}
