//! An 8-bit float of NVIDIA's kind in a Triton program.
//!
//! ## Why on AMD
//! MI300 computes in `float8_e4m3fnuz`, whose bias is one more and whose largest number is 240, not 448. `float8_e4m3fn` compiles, and
//! is converted in software: slower, and scales that were chosen for 448 overflow where the data becomes `fnuz`. MI350 and RDNA4 have
//! the same format as NVIDIA.
//!
//! ## Example
//! ```python
//! y = x.to(tl.float8e4nv)
//! ```
//!
//! ## When to ignore
//! When the chips are MI350 or later.
//!
//! ## Source
//! AMD CDNA3 instruction set, "FP8 formats"; Triton 3.6, compiled for gfx942.

use crate::python::{Node, PyFile, Side};
use crate::rules::prelude::*;

/// Reports the formats.
pub static RULE: Rule = Rule {
    code: "CASS684",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(check)],
};

/// Whether a place is part of a comparison that decides nothing on AMD: `dtype == torch.float8_e4m3fn and torch.version.hip is None`.
fn counts_for_nvidia(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let compared = node
        .parent()
        .filter(|it| it.kind() == "comparison_operator");
    let joined = compared.and_then(|it| it.parent());
    let is_and = |it: &Node<'_>| {
        let operator = it.child_by_field_name("operator");
        operator.is_some_and(|operator| file.text(operator) == "and")
    };
    let joined = joined.filter(|it| it.kind() == "boolean_operator" && is_and(it));
    let right = joined.and_then(|it| it.child_by_field_name("right"));
    right.is_some_and(|right| file.if_true(right) == Some(Side::Nvidia))
}

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file;
    if !file.imports("triton") {
        return;
    }
    if memchr::memmem::find(file.bytes(), b"fnuz").is_some() {
        return;
    }
    let mut findings: Vec<Finding> = Vec::new();
    for node in file.all(&["attribute"]) {
        let Some(name) = node.child_by_field_name("attribute") else {
            continue;
        };
        let is_format = matches!(&*file.text(name), "float8e4nv" | "float8_e4m3fn");
        if is_format && file.side(node).is_none() && !counts_for_nvidia(file, node) {
            let message = format!(
                "MI300 computes in `float8_e4m3fnuz`, not in `{}`",
                file.text(name)
            );
            let help = "use torch.float8_e4m3fnuz with a largest number of 240 where torch.version.hip is set and the chip is gfx942";
            findings.push(RULE.finding(file.range(node), message).help(help));
        }
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}
