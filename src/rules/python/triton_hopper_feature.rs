//! A part of Triton that only Hopper and Blackwell have.
//!
//! ## Why on AMD
//! Warp specialisation and descriptors of the Tensor Memory Accelerator stand for units of those GPUs. Depending on the release the
//! kernel does not compile for AMD, or runs without what it was written for.
//!
//! ## Example
//! ```python
//! for k in tl.range(0, n, warp_specialize=True):
//!     pass
//! ```
//!
//! ## When to ignore
//! When the kernel is not the one that AMD runs.
//!
//! ## Source
//! Triton 3.6: `triton/tools/tensor_descriptor.py`, `triton/backends/amd/compiler.py`.

use crate::rules::prelude::*;

/// Reports the features.
pub static RULE: Rule = Rule {
    code: "CASS685",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(check)],
};

/// Keyword arguments that ask for a feature, unless they are false or zero.
const OPTIONS: &[&str] = &[
    "warp_specialize",
    "num_consumer_groups",
    "num_buffers_warp_spec",
    "reg_dec_producer",
    "reg_inc_consumer",
];
/// Functions and classes.
const NAMES: &[&str] = &[
    "make_tensor_descriptor",
    "_experimental_make_tensor_descriptor",
    "_experimental_descriptor_load",
    "_experimental_descriptor_store",
    "create_1d_tma_descriptor",
    "create_2d_tma_descriptor",
    "async_task",
];

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file;
    if !file.imports("triton") {
        return;
    }
    let mut findings: Vec<Finding> = Vec::new();
    for node in file.all(&["keyword_argument", "call"]) {
        let name = match node.kind() {
            "call" => file.callee(node).filter(|name| NAMES.contains(&&**name)),
            _ => asked(file, node),
        };
        let Some(name) = name.filter(|_| file.side(node).is_none()) else {
            continue;
        };
        let message = format!("`{name}` is for units of Hopper and Blackwell that AMD GPUs lack");
        let help = "choose a kernel with plain loads and `tl.range` without it where torch.version.hip is set";
        findings.push(RULE.finding(file.range(node), message).help(help));
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

fn asked<'s>(
    file: &crate::python::PyFile<'s>,
    node: crate::python::Node<'_>,
) -> Option<std::borrow::Cow<'s, str>> {
    let name = file.text(node.child_by_field_name("name")?);
    let value = node.child_by_field_name("value")?;
    let is_on = !matches!(&*file.text(value), "False" | "0" | "None");
    (is_on && OPTIONS.contains(&&*name)).then_some(name)
}
