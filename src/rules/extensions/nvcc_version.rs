//! A function of a build script that asks nvcc for its version, or compares it with `torch.version.cuda`.
//!
//! ## Why on AMD
//! `CUDA_HOME + "/bin/nvcc"` is `None + "/bin/nvcc"` in PyTorch for ROCm, and `torch.version.cuda` is `None` too: the script stops with a
//! TypeError before anything is compiled. A check returns at once for AMD; a function that gives a version gives 12.0, whose interfaces
//! HIP has, so that comparisons with it choose what they choose for NVIDIA.
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
//! When no build for AMD calls the function.
//!
//! ## Source
//! `torch/utils/cpp_extension.py` of PyTorch 2.11.

use tree_sitter::Node;

use crate::python::{PyFile, parents};
use crate::rules::prelude::*;

/// Lets AMD return early from what asks nvcc.
pub static RULE: Rule = Rule {
    code: "CASS642",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    triggers: &[Trigger::Extension],
    check,
};

/// The release whose interfaces HIP has.
const VERSION: &str = "12.0";
const HELP: &str = "write `if torch.version.hip is None:` around it; AMD has no nvcc, and its torch.version.cuda is None";

fn check(_: Site<'_>, cx: &mut Context<'_, '_>) {
    let Some(file) = cx.python() else { return };
    let mut findings = Vec::new();
    let mut told: Vec<Node<'_>> = Vec::new();
    for call in file.all(&["call"]) {
        let Some(what) = asks_nvcc(file, call) else {
            continue;
        };
        if file.side(call).is_some() || parents(call).any(|it| told.contains(&it)) {
            continue;
        }
        let function = parents(call).find(|it| it.kind() == "function_definition");
        told.push(function.unwrap_or(call));
        let finding = RULE.finding(file.range(call), what).help(HELP);
        findings.push(
            match function.and_then(|function| early_return(file, function)) {
                Some(edits) => finding
                    .fix(Fix::review(edits))
                    .severity(Severity::Info)
                    .help(""),
                None => finding,
            },
        );
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// What a call does that AMD has not: runs nvcc, or reads CUDA's version.
fn asks_nvcc(file: &PyFile<'_>, call: Node<'_>) -> Option<&'static str> {
    const RUNS: &[&str] = &[
        "check_output",
        "run",
        "Popen",
        "check_call",
        "call",
        "getoutput",
        "which",
    ];
    const READS: &[&str] = &["parse", "Version", "LooseVersion", "float", "split"];
    let callee = file.callee(call)?;
    let arguments = call.child_by_field_name("arguments")?;
    let text = file.text(arguments);
    let strings = file.all_below(arguments, &["string"]);
    let names_nvcc = strings.iter().any(|it| {
        let word = file.text(*it);
        let word = word.trim_matches(['"', '\'']);
        word == "nvcc" || word.ends_with("/nvcc") || word.starts_with("nvcc ")
    });
    if RUNS.contains(&&*callee) && names_nvcc {
        return Some("there is no nvcc on AMD");
    }
    let reads = READS.contains(&&*callee) && text.contains("torch.version.cuda");
    let splits = callee == "split" && file.text(call).starts_with("torch.version.cuda");
    (reads || splits).then_some("`torch.version.cuda` is None in PyTorch for ROCm")
}

/// The lines that let AMD return from a function, by what the function gives back.
fn early_return(file: &PyFile<'_>, function: Node<'_>) -> Option<Vec<Edit>> {
    let body = function.child_by_field_name("body")?;
    let statements = file.elements(body);
    let is_docs = |node: &&Node<'_>| {
        node.kind() == "expression_statement"
            && node.named_child(0).is_some_and(|it| it.kind() == "string")
    };
    let first = *statements.iter().find(|it| !is_docs(it))?;
    let (line, indent) = file.indent(first);
    if line + indent.len() != first.start_byte() {
        return None;
    }
    let value = returned(file, function, body)?;
    let question = file.question(first)?;
    let step = if indent.starts_with('\t') {
        "\t"
    } else {
        "    "
    };
    let text = format!(
        "if {}:\n{indent}{step}return{value}\n{indent}",
        question.text
    );
    let mut edits = vec![Edit::insert(first.start_byte() as u32, text)];
    edits.extend(question.import.map(|(at, line)| Edit::insert(at, line)));
    Some(edits)
}

/// What to return for AMD, with a blank in front; `None` where the returns of the function do not tell.
fn returned(file: &PyFile<'_>, function: Node<'_>, body: Node<'_>) -> Option<String> {
    let own = |node: &Node<'_>| {
        parents(*node).find(|it| it.kind() == "function_definition") == Some(function)
    };
    let returns: Vec<Node<'_>> = file
        .all_below(body, &["return_statement"])
        .into_iter()
        .filter(own)
        .collect();
    let values: Vec<Node<'_>> = returns.iter().filter_map(|it| it.named_child(0)).collect();
    if values.is_empty() {
        return Some(String::new());
    }
    // Whether the toolkit is there: for AMD it is.
    if values
        .iter()
        .all(|value| matches!(value.kind(), "true" | "false"))
    {
        return Some(" True".to_owned());
    }
    let last = *values.last()?;
    let parts = if last.kind() == "expression_list" || last.kind() == "tuple" {
        file.elements(last)
    } else {
        vec![last]
    };
    let of = |part: &Node<'_>| match version_of(file, body, *part) {
        Some(callee) => format!("{callee}(\"{VERSION}\")"),
        None => "\"\"".to_owned(),
    };
    let has_version = parts
        .iter()
        .any(|part| version_of(file, body, *part).is_some());
    let text: Vec<String> = parts.iter().map(of).collect();
    has_version.then(|| format!(" {}", text.join(", ")))
}

/// The function that makes a version of what is returned: `parse` of `v` behind `v = parse(…)`.
fn version_of(file: &PyFile<'_>, body: Node<'_>, value: Node<'_>) -> Option<String> {
    let made = |node: Node<'_>| {
        let function = node
            .child_by_field_name("function")
            .filter(|_| node.kind() == "call")?;
        let name = file.text(function).into_owned();
        let last = name.rsplit('.').next().unwrap_or(&name);
        matches!(last, "parse" | "Version" | "LooseVersion").then_some(name)
    };
    if value.kind() != "identifier" {
        return made(value);
    }
    let assignments = file.all_below(body, &["assignment"]).into_iter();
    let named = assignments.filter(|it| {
        it.child_by_field_name("left")
            .is_some_and(|left| file.text(left) == file.text(value))
    });
    named
        .filter_map(|it| it.child_by_field_name("right"))
        .find_map(made)
}
