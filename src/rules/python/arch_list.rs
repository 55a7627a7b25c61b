//! A program that sets `TORCH_CUDA_ARCH_LIST`.
//!
//! ## Why on AMD
//! PyTorch for ROCm builds extensions for the chips in `PYTORCH_ROCM_ARCH`, or for those that it was built for itself where that is not
//! set; the list of CUDA's architectures is not read.
//!
//! ## Example
//! ```python
//! os.environ["TORCH_CUDA_ARCH_LIST"] = "8.0;9.0"
//! ```
//!
//! ## When to ignore
//! When extensions are built on the machine that runs them: a program that does so itself, by `load` or `load_inline`, or that sets the list
//! to what the machine's GPUs answer, gets information. Tests set it to see what is made of it, and give no finding, nor does a place that
//! puts back what was there before.
//!
//! ## Source
//! `_get_rocm_arch_flags` in `torch/utils/cpp_extension.py` of PyTorch 2.11.

use crate::analysis::include_paths::values_of;
use crate::python::{Node, PyFile, parents};
use crate::rules::prelude::*;

/// Reports where the list is set first.
pub static RULE: Rule = Rule {
    code: "CASS672",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(&[&["TORCH_CUDA_ARCH_LIST"]], check)],
};

/// The variable.
const NAME: &str = "TORCH_CUDA_ARCH_LIST";
/// The function that says what a GPU of the machine is.
const CAPABILITY: &str = "get_device_capability(";

fn check(cx: &mut PythonContext<'_, '_>) {
    if cx.mentions(&["PYTORCH_ROCM_ARCH"]) || cx.is_test() {
        return;
    }
    let file = cx.file();
    let is_name = |node: &Node<'_>| file.text(*node).trim_matches(['"', '\'']) == NAME;
    let is_set = |node: &Node<'_>| {
        parents(*node).take(4).any(|it| match it.kind() {
            // An empty list is that of the machine for both vendors.
            "assignment" => {
                let is_empty = it
                    .child_by_field_name("right")
                    .is_some_and(|value| file.text(value).trim_matches(['"', '\'']).is_empty());
                let left = it.child_by_field_name("left");
                !is_empty
                    && !puts_back(file, it)
                    && left.is_some_and(|left| left.end_byte() >= node.end_byte())
            }
            "call" => file
                .callee(it)
                .is_some_and(|name| matches!(&*name, "setdefault" | "putenv" | "setenv")),
            // As a value it is only a name: `{"arch_list": "TORCH_CUDA_ARCH_LIST"}`.
            "pair" => {
                let key = it.child_by_field_name("key");
                key.is_some_and(|key| key.end_byte() >= node.end_byte())
            }
            _ => false,
        })
    };
    let strings = file.all(&["string"]).into_iter();
    let mut places = strings.filter(is_name).filter(is_set);
    // A script sets it once for each release of CUDA; for AMD there is one thing to write.
    let Some(first) = places.find(|node| file.side(*node).is_none() && !file.is_expected(*node))
    else {
        return;
    };
    let help = match is_without_gpu(file, first) {
        true => {
            "set PYTORCH_ROCM_ARCH to AMD's chips as well, `gfx90a;gfx942`: no GPU is visible here whose chip could be built for"
        }
        false => {
            "set PYTORCH_ROCM_ARCH to AMD's chips as well, `gfx90a;gfx942`; without it those that PyTorch itself was built for are taken"
        }
    };
    let message = "PyTorch for ROCm does not read TORCH_CUDA_ARCH_LIST";
    let is_for_machine = builds_here(file) || is_asked_of_machine(file, first);
    let severity = match is_for_machine && !is_without_gpu(file, first) {
        true => Severity::Info,
        false => RULE.severity,
    };
    let finding = RULE.finding(file.range(first), message);
    cx.report(finding.severity(severity).help(help));
}

/// Whether a program builds its extensions when it runs, `load(name="kit", sources=[…])`: those of the machine are what it needs.
fn builds_here(file: &PyFile<'_>) -> bool {
    let builds = |call: &Node<'_>| {
        let name = file.callee(*call);
        let has_sources = || file.argument(*call, usize::MAX, "sources").is_some();
        name.is_some_and(|it| &*it == "load_inline" || &*it == "load" && has_sources())
    };
    file.all(&["call"]).iter().any(builds)
}

/// Whether the variable is set to what the machine's GPUs answer, `environ[NAME] = arch_list()` where `arch_list` asks each for its
/// capability: what is built for them on AMD without it.
fn is_asked_of_machine(file: &PyFile<'_>, name: Node<'_>) -> bool {
    let asks = |node: Node<'_>| file.text(node).contains(CAPABILITY);
    let value = parents(name).take(4).find_map(|it| match it.kind() {
        "assignment" => it.child_by_field_name("right"),
        "pair" => it.child_by_field_name("value"),
        "call" => file.argument(it, 1, "value"),
        _ => None,
    });
    let Some(value) = value else {
        return false;
    };
    let given = match value.kind() {
        "identifier" => values_of(file, &file.text(value)),
        _ => vec![value],
    };
    let is_asked = |value: &Node<'_>| {
        let called = file.callee(*value).filter(|_| value.kind() == "call");
        let functions = called.map_or_else(Vec::new, |it| file.functions_called(&it));
        asks(*value) || functions.into_iter().any(asks)
    };
    given.iter().any(is_asked)
}

/// Whether a place is reached only where PyTorch sees no GPU: `if not torch.cuda.is_available():`, `if not cuda_available:`.
fn is_without_gpu(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let mut below = node;
    parents(node).any(|it| {
        let is_reached = it.child_by_field_name("consequence") == Some(below);
        below = it;
        let condition = it.child_by_field_name("condition").filter(|_| is_reached);
        condition.is_some_and(|it| {
            let text = file.squeezed(it).to_ascii_lowercase();
            let asked = text.strip_prefix("not").unwrap_or_default();
            asked.contains("available") && (asked.contains("cuda") || asked.contains("gpu"))
        })
    })
}

/// Whether an assignment puts back what was set before: `os.environ[NAME] = before`, where `before = os.environ.get(NAME)`.
fn puts_back(file: &PyFile<'_>, assignment: Node<'_>) -> bool {
    let value = assignment.child_by_field_name("right");
    let name = value.filter(|it| it.kind() == "identifier");
    let values = name.map_or_else(Vec::new, |it| file.assignments_to(&file.text(it)));
    let values = values.into_iter();
    let mut values = values.filter_map(|it| it.child_by_field_name("right"));
    values.any(|it| file.text(it).contains("environ") && file.text(it).contains(NAME))
}
