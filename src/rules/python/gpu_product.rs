//! A choice by the name of an NVIDIA GPU.
//!
//! ## Why on AMD
//! `torch.cuda.get_device_name()` gives `AMD Instinct MI300X` and the like. A test for the names of NVIDIA's products takes the branch
//! for unknown GPUs, which may be a slow one, a refusal, or settings of another chip.
//!
//! ## Example
//! ```python
//! is_fast = "H100" in torch.cuda.get_device_name()
//! ```
//!
//! ## When to ignore
//! When the other branch is right for AMD.
//!
//! ## Source
//! PyTorch documentation, `torch.cuda.get_device_name`; product names of NVIDIA's and AMD's data sheets.

use crate::mapping::name_lists;
use crate::python::Literal;
use crate::rules::prelude::*;

/// Reports comparisons with product names.
pub static RULE: Rule = Rule {
    code: "CASS671",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(
        &[&["get_device_name", "get_device_properties"]],
        check,
    )],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    let mut findings = Vec::new();
    for node in file.all(&["comparison_operator"]) {
        let operands = file.elements(node);
        let product = operands
            .iter()
            .filter_map(|it| Literal::new(file, *it))
            .find(|it| is_product(&it.text));
        let text = file.squeezed(node);
        let of_device = [
            "get_device_name",
            "device_name",
            "gpu_name",
            "get_device_properties",
            ".name",
        ]
        .iter()
        .any(|word| text.contains(word));
        // Whom a place is for takes longest to find out.
        let Some(product) = product.filter(|_| of_device && file.side(node).is_none()) else {
            continue;
        };
        let message = format!(
            "`{}` names an NVIDIA product: AMD GPUs take the other branch",
            product.text
        );
        findings.push(RULE.finding(file.range(node), message).help(
            "add AMD's chips, by torch.cuda.get_device_properties(i).gcnArchName: gfx90a, gfx942",
        ));
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

fn is_product(text: &str) -> bool {
    let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.any(|word| {
        name_lists()
            .gpu_products
            .iter()
            .any(|product| product.eq_ignore_ascii_case(word))
    })
}
