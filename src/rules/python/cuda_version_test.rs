//! A program that asks `torch.version.cuda` whether there is a GPU, or which release of CUDA it has.
//!
//! ## Why on AMD
//! `torch.version.cuda` is `None` in PyTorch for ROCm. As a question whether PyTorch has a GPU backend it says no, and the program goes
//! on with the CPU or skips its tests; a comparison of releases ends with a `TypeError`. Where the file names `torch.version.hip` itself,
//! its authors know both vendors and it stays as it is.
//!
//! ## Example
//! ```python
//! if torch.version.cuda is not None:
//!     run_on_gpu()
//! ```
//! becomes
//! ```python
//! if (torch.version.cuda or torch.version.hip) is not None:
//!     run_on_gpu()
//! ```
//!
//! ## When to ignore
//! When the question is whether the GPU is NVIDIA's.
//!
//! ## Source
//! PyTorch documentation, "HIP (ROCm) semantics", "Checking for HIP".

use tree_sitter::Node;

use crate::python::{PyFile, parents};
use crate::rules::prelude::*;

/// Asks for either vendor's backend; reports comparisons of releases.
pub static RULE: Rule = Rule {
    code: "CASS670",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    triggers: &[Trigger::Python],
    check,
};

fn check(_: At<'_>, cx: &mut Context<'_, '_>) {
    let Some(file) = cx.python() else { return };
    // Build scripts have a rule of their own, which knows what they do with the answer.
    if crate::python::builds_extensions(file.bytes()) {
        return;
    }
    let mut findings = Vec::new();
    for node in file.all(&["attribute"]) {
        if file.squeezed(node).ends_with("torch.version.cuda") {
            findings.extend(of_use(file, node));
        }
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

fn of_use(file: &PyFile<'_>, node: Node<'_>) -> Option<Finding> {
    if file.side(node).is_some() {
        return None;
    }
    let range = file.range(node);
    let text = file.text(node).into_owned();
    match usage(file, node) {
        Usage::Other => None,
        Usage::Release => Some(
            RULE.finding(range, "`torch.version.cuda` is None in PyTorch for ROCm: what reads a release from it fails")
                .help("ask `torch.version.hip` first, and compare releases on NVIDIA alone"),
        ),
        Usage::Truth if file.knows_amd() => None,
        Usage::Truth => {
            let other = format!("{}hip", text.trim_end_matches("cuda"));
            let edits = vec![Edit::replace(range, format!("({text} or {other})"))];
            let finding = RULE
                .finding(range, "`torch.version.cuda` is None in PyTorch for ROCm, where there is a GPU as well")
                .help("check that the question is whether there is a GPU, not whether it is NVIDIA's");
            Some(finding.fix(Fix::review(edits)))
        }
    }
}

enum Usage {
    /// Whether it is there.
    Truth,
    /// What it says.
    Release,
    /// Printed or handed on.
    Other,
}

fn usage(file: &PyFile<'_>, node: Node<'_>) -> Usage {
    const READERS: &[&str] = &["parse", "Version", "LooseVersion", "float", "int", "tuple"];
    let Some(parent) = node.parent() else {
        return Usage::Other;
    };
    match parent.kind() {
        "if_statement" | "elif_clause" | "assert_statement" | "not_operator"
        | "boolean_operator" | "while_statement" => Usage::Truth,
        "conditional_expression" if file.elements(parent).get(1) == Some(&node) => Usage::Truth,
        "comparison_operator" if file.squeezed(parent).contains("None") => Usage::Truth,
        "comparison_operator" => Usage::Release,
        "attribute" | "subscript" => match parents(node).any(|it| it.kind() == "call") {
            true if file.squeezed(parent).ends_with(".split") => Usage::Release,
            _ if parent.kind() == "subscript" => Usage::Release,
            _ => Usage::Other,
        },
        "argument_list" => {
            let call = parent.parent();
            let callee = call.and_then(|call| file.callee(call));
            if callee.is_some_and(|name| READERS.contains(&&*name)) {
                Usage::Release
            } else {
                Usage::Other
            }
        }
        _ => Usage::Other,
    }
}
