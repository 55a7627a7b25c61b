//! The compiled text of a Triton kernel by the name of NVIDIA's.
//!
//! ## Why on AMD
//! A kernel that is compiled for AMD has `asm["amdgcn"]` and `asm["hsaco"]`; `asm["ptx"]` is a `KeyError`.
//!
//! ## Example
//! ```python
//! print(kernel.asm["ptx"])
//! ```
//!
//! ## When to ignore
//! When the program asks for the keys first.
//!
//! ## Source
//! `binary_ext` and the stages in `triton/backends/amd/compiler.py` of Triton 3.6.

use crate::python::Literal;
use crate::rules::prelude::*;

/// Reports the keys.
pub static RULE: Rule = Rule {
    code: "CASS686",
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
    let mut findings: Vec<Finding> = Vec::new();
    for node in file.all(&["subscript"]) {
        let of_asm = node
            .child_by_field_name("value")
            .is_some_and(|it| file.dotted(it).ends_with(".asm"));
        let key = node
            .child_by_field_name("subscript")
            .and_then(|it| Literal::new(file, it));
        let Some(key) =
            key.filter(|it| of_asm && matches!(it.text.as_str(), "ptx" | "cubin" | "sass"))
        else {
            continue;
        };
        if file.side(node).is_none() {
            let other = if key.text == "cubin" {
                "hsaco"
            } else {
                "amdgcn"
            };
            let message = format!(
                "`asm[\"{}\"]` does not exist when the kernel is compiled for AMD",
                key.text
            );
            findings.push(RULE.finding(file.range(node), message).help(format!(
                "read `asm[\"{other}\"]` where torch.version.hip is set"
            )));
        }
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}
