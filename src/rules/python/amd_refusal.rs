//! A program that refuses AMD's GPUs.
//!
//! ## Why on AMD
//! Whoever wrote `assert torch.version.hip is None` knew that what stands behind it does not work there: it fails wherever PyTorch is
//! built for ROCm, however well the rest is ported. The reason may be gone by now, or be one of the other findings of the file.
//!
//! ## Example
//! ```python
//! assert torch.version.hip is None, "HIP is not supported"
//! ```
//!
//! ## When to ignore
//! When the function has a counterpart for AMD that is called in its place. A condition that AMD does not always meet,
//! `if is_hip() and dtype == torch.float8_e4m3fn: raise …`, gives no finding, nor does what is tried.
//!
//! ## Source
//! PyTorch 2.11, `torch.version.hip`: the release of HIP that PyTorch is built with, `None` without.

use crate::python::{Node, PyFile, Side};
use crate::rules::prelude::*;

/// Reports each place that ends the program, or throws, for AMD alone.
pub static RULE: Rule = Rule {
    code: "CASS755",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(
        &[
            &[
                "version.hip",
                "is_hip",
                "is_rocm",
                "is_amd",
                "IS_HIP",
                "IS_ROCM",
                "IS_AMD",
            ],
            &["assert", "raise"],
        ],
        check,
    )],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    let places = file.all(&["assert_statement", "raise_statement"]);
    let refusals = places.into_iter().filter_map(|place| {
        let condition = refusing_condition(file, place)?;
        // A place that AMD does not come to refuses nobody.
        let comes_there = matches!(file.side(condition), None | Some(Side::Amd));
        // Who asks for a release of CUDA's means to read it: that is another rule's.
        let asks_release = file.text(condition).contains("version.cuda");
        (comes_there && !asks_release && !file.is_tried(place)).then_some((place, condition))
    });
    let findings: Vec<Finding> = refusals
        .map(|(place, condition)| {
            let asked = file.text(condition);
            let message = if place.kind() == "assert_statement" {
                format!("AMD's GPUs are refused: `{asked}` does not hold with PyTorch for ROCm")
            } else {
                format!("AMD's GPUs are refused: an error is thrown where `{asked}`")
            };
            RULE.finding(file.range(condition), message).help(
                "find out what the code behind it needs of NVIDIA's, and leave the refusal out once that is ported: the other findings \
                 of the file name it where it is known",
            )
        })
        .collect();
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// The condition by which a statement fails for AMD: what `assert` wants, or what the `if` around a `raise` asks.
fn refusing_condition<'t>(file: &PyFile<'t>, place: Node<'t>) -> Option<Node<'t>> {
    if place.kind() == "assert_statement" {
        let wanted = place.named_child(0)?;
        return (file.if_true(wanted) == Some(Side::Nvidia)).then_some(wanted);
    }
    let branch = place.parent()?.parent()?;
    let is_branch = matches!(branch.kind(), "if_statement" | "elif_clause")
        && branch.child_by_field_name("consequence") == place.parent();
    let asked = branch.child_by_field_name("condition")?;
    (is_branch && file.if_false(asked) == Some(Side::Nvidia)).then_some(asked)
}
