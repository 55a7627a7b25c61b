//! A precision of Triton's matrix product that AMD lacks.
//!
//! ## Why on AMD
//! `tf32x3` is three products of NVIDIA's TF32, and a compilation error for AMD, which takes `ieee`, `bf16x3` and `bf16x6`, on gfx942
//! also `tf32`.
//!
//! ## Example
//! ```python
//! c = tl.dot(a, b, input_precision="tf32x3")
//! ```
//!
//! ## When to ignore
//! When a constant of the kernel keeps the branch from AMD.
//!
//! ## Source
//! `allowed_dot_input_precisions` in `triton/backends/amd/compiler.py` of Triton 3.6.

use crate::python::Literal;
use crate::rules::prelude::*;

/// Reports the precision.
pub static RULE: Rule = Rule {
    code: "CASS683",
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
    let is_it = |node: &crate::python::Node<'_>| {
        Literal::new(file, *node).is_some_and(|it| it.text == "tf32x3")
    };
    let places = file
        .all(&["string"])
        .into_iter()
        .filter(is_it)
        .filter(|it| file.side(*it).is_none());
    let findings: Vec<Finding> = places
        .map(|node| {
            RULE.finding(file.range(node), "`tf32x3` is a precision of NVIDIA's: the kernel does not compile for AMD")
                .help("pass the precision as a `tl.constexpr`: \"bf16x6\" or \"ieee\" where torch.version.hip is set")
        })
        .collect();
    findings.into_iter().for_each(|finding| cx.report(finding));
}
