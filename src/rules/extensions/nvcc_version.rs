//! A function of a build script that asks nvcc for its version, or compares it with `torch.version.cuda`.
//!
//! ## Why on AMD
//! `CUDA_HOME + "/bin/nvcc"` is `None + "/bin/nvcc"` in PyTorch for ROCm, and `torch.version.cuda` is `None` too: the script stops with a
//! TypeError before anything is compiled. A check returns at once for AMD; a function that gives a version gives 12.0, whose interfaces
//! HIP has, so that comparisons with it choose what they choose for NVIDIA; a requirement on a newer nvcc, `if version < Version("12.3")`
//! that raises, is not asked of AMD.
//!
//! ## Example
//! ```python
//! def cuda_version(folder):
//!     output = subprocess.check_output([folder + "/bin/nvcc", "-V"], universal_newlines=True).split()
//!     return parse(output[output.index("release") + 1].split(",")[0])
//! ```
//! becomes
//! ```python
//! def cuda_version(folder):
//!     if torch.version.hip:
//!         return parse("12.0")
//!     output = subprocess.check_output([folder + "/bin/nvcc", "-V"], universal_newlines=True).split()
//!     return parse(output[output.index("release") + 1].split(",")[0])
//! ```
//!
//! ## When to ignore
//! When no build for AMD calls the function. A path that `which("nvcc")` looks for and that is used only where it was found gives no finding.
//!
//! ## Source
//! `torch/utils/cpp_extension.py` of PyTorch 2.11.

use crate::analysis::toolkit_gate::newer_requirements;
use crate::analysis::toolkit_question::{early_return, reads_version, way_around};
use crate::python::{Node, PyFile, parents};
use crate::rules::prelude::*;

/// Lets AMD return early from what asks nvcc.
pub static RULE: Rule = Rule {
    code: "CASS642",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    facts: &[],
    checks: &[Check::Extension(check)],
};

const HELP: &str = "write `if torch.version.hip is None:` around it; AMD has no nvcc, and its torch.version.cuda is None";

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    let mut findings = Vec::new();
    let mut told: Vec<Node<'_>> = Vec::new();
    for call in file.all(&["call", "subscript", "comparison_operator"]) {
        let Some(what) = reads_version(file, call) else {
            continue;
        };
        let is_told = || parents(call).any(|it| told.contains(&it));
        if file.side(call).is_some() || is_told() || is_used_if_found(file, call) {
            continue;
        }
        let function = parents(call).find(|it| it.kind() == "function_definition");
        told.push(function.unwrap_or(call));
        let severity = match file.goes_on_without(call) {
            true => Severity::Info,
            false => RULE.severity,
        };
        let finding = RULE
            .finding(file.range(call), what)
            .help(help(file, function))
            .severity(severity);
        findings.push(match function.and_then(|it| answer(file, it)) {
            Some(edits) => finding
                .fix(Fix::review(edits))
                .severity(Severity::Info)
                .help(""),
            None => finding,
        });
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// What to do about a question: around it, or around the call of the function that gives the version to another.
fn help(file: &PyFile<'_>, function: Option<Node<'_>>) -> String {
    let gives = |it: &Node<'_>| {
        let mut returned = file.all_below(*it, &["return_statement"]).into_iter();
        returned.any(|it| it.named_child(0).is_some_and(|it| it.kind() != "none"))
    };
    let called = function.filter(gives).and_then(|it| {
        let name = file.text(it.child_by_field_name("name")?);
        let callers = file.calls_of(&name).into_iter();
        let mut callers = callers.filter_map(|call| call.function()?.child_by_field_name("name"));
        let caller = callers.find(|it| file.text(*it) != name)?;
        Some((name, file.text(caller)))
    });
    match called {
        Some((name, caller)) => format!(
            "call `{name}` where torch.version.hip is None alone, in `{caller}`: AMD has no nvcc, and its torch.version.cuda is None"
        ),
        None => HELP.to_owned(),
    }
}

/// Whether a path that is looked for is used only where it was found: `path = which("nvcc")`, then `if path is not None:` around each use.
fn is_used_if_found(file: &PyFile<'_>, call: Node<'_>) -> bool {
    let assignment = call.parent().filter(|it| it.kind() == "assignment");
    let name = assignment.and_then(|it| it.child_by_field_name("left"));
    let is_which = file.callee(call).is_some_and(|it| it == "which");
    let Some(name) = name.filter(|it| is_which && it.kind() == "identifier") else {
        return false;
    };
    let text = file.text(name);
    let found = format!("{text}isnotNone");
    let is_found = |it: Node<'_>| {
        let condition = file.squeezed(it);
        condition == *text || condition == found
    };
    let mut uses = match name.function() {
        Some(around) => file.identifiers_within(&text, around),
        None => file.identifiers_of(&text),
    };
    uses.retain(|it| *it != name && it.function() == name.function());
    let is_within = |used: &Node<'_>| {
        parents(*used).any(|it| {
            let condition = it.child_by_field_name("condition");
            it.kind() == "if_statement" && condition.is_some_and(is_found)
        })
    };
    !uses.is_empty() && uses.iter().all(is_within)
}

/// What lets AMD past a function that asks nvcc.
fn answer(file: &PyFile<'_>, function: Node<'_>) -> Option<Vec<Edit>> {
    let returned = early_return(file, function).map(|mut edits| {
        let requirements = newer_requirements(file, function).into_iter();
        edits.extend(
            requirements
                .filter(|it| !edits.contains(it))
                .collect::<Vec<_>>(),
        );
        edits
    });
    returned.or_else(|| way_around(file, function))
}
