//! A library of CUDA that an extension of Python links.
//!
//! ## Why on AMD
//! PyTorch's build renames the libraries of PyTorch alone; `libraries=['cublas']` is handed to the linker as it is, which finds no
//! libcublas. So are those of setuptools and Cython, whose scripts are left to a person.
//!
//! ## Example
//! ```python
//! CUDAExtension("ext", sources, libraries=["cublas"])
//! ```
//! becomes
//! ```python
//! CUDAExtension("ext", sources, libraries=["hipblas" if torch.version.hip else "cublas"])
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! `torch/utils/cpp_extension.py` of PyTorch 2.11; the libraries of ROCm 6.4.

use crate::mapping::BuildTable;
use crate::python::{Literal, Node, PyFile, builds_extensions, parents};
use crate::rules::prelude::*;

/// Names AMD's library beside NVIDIA's.
pub static RULE: Rule = Rule {
    code: "CASS643",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[
        Check::Extension(check),
        Check::Python(&[&["libraries"], &["cuda", "CUDA"]], check_without_torch),
    ],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    let found: Vec<Finding> = file
        .all(&["string"])
        .into_iter()
        .filter_map(|node| of_string(cx, file, node))
        .collect();
    found.into_iter().for_each(|finding| cx.report(finding));
}

/// Extensions of setuptools and Cython: nothing of PyTorch's says there for whom they are built, so that a person does.
fn check_without_torch(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    let has_extension = |call: &Node<'_>| file.callee(*call).is_some_and(|it| it == "Extension");
    if builds_extensions(file.bytes()) || !file.all(&["call"]).iter().any(has_extension) {
        return;
    }
    let of_string = |node: Node<'_>| {
        let name = Literal::new(file, node)?.text;
        let library = BuildTable::builtin().library(&name)?;
        let is_open = is_linked(file, node) && is_element(node) && file.side(node).is_none();
        let link = library.link(&cx.options().choices);
        let help = match link.as_deref() {
            None => library.advice.clone(),
            Some("") => "hipcc needs nothing in its place: leave it out for AMD".to_owned(),
            Some(link) => format!("link with `{link}` for AMD"),
        };
        let finding = RULE.finding(file.range(node), format!("`{name}` is a library of CUDA"));
        is_open.then(|| finding.help(help))
    };
    let strings = file.all(&["string"]).into_iter();
    let found: Vec<Finding> = strings.filter_map(of_string).collect();
    found.into_iter().for_each(|finding| cx.report(finding));
}

fn of_string(cx: &PythonContext<'_, '_>, file: &PyFile<'_>, node: Node<'_>) -> Option<Finding> {
    let literal = Literal::new(file, node)?;
    let name = match literal.text.strip_prefix("-l") {
        Some(name) => name,
        None if is_linked(file, node) => literal.text.as_str(),
        None => return None,
    };
    let library = BuildTable::builtin().library(name)?;
    if file.side(node).is_some() || !is_element(node) || file.is_on_windows(node) {
        return None;
    }
    let finding = RULE.finding(file.range(node), format!("`{name}` is a library of CUDA"));
    let Some(link) = library.link(&cx.options().choices) else {
        return Some(
            finding
                .severity(Severity::Error)
                .help(library.advice.as_str()),
        );
    };
    let is_option = literal.text.starts_with("-l");
    let target = if is_option {
        link.clone()
    } else {
        link.trim_start_matches("-l").to_owned()
    };
    let finding = finding.help(match target.is_empty() {
        true => "hipcc needs nothing in its place".to_owned(),
        false => format!("link `{target}` for AMD"),
    });
    let in_list = node.parent().is_some_and(|it| it.kind() == "list");
    if target.contains(' ') || target.is_empty() && !in_list {
        return Some(finding);
    }
    let question = file.question(node)?;
    let range = file.range(node);
    let mut edits = match target.is_empty() {
        true => vec![
            Edit::insert(range.start, format!("*([] if {} else [", question.text)),
            Edit::insert(range.end, "])"),
        ],
        false => {
            let text = format!("{} if {} else ", literal.quoted(&target), question.text);
            vec![Edit::insert(range.start, text)]
        }
    };
    edits.extend(question.import.map(|(at, line)| Edit::insert(at, line)));
    Some(finding.severity(Severity::Info).fix(Fix::safe(edits)))
}

/// Whether the string is one of several words, or handed over alone.
fn is_element(node: Node<'_>) -> bool {
    node.parent()
        .is_some_and(|parent| matches!(parent.kind(), "list" | "tuple" | "argument_list"))
}

/// Whether the string stands among the libraries of an extension.
fn is_linked(file: &PyFile<'_>, node: Node<'_>) -> bool {
    let is_name = |node: Option<Node<'_>>| {
        node.is_some_and(|it| {
            let text = file.text(it);
            let text = text.split('.').next().unwrap_or("").trim();
            text.ends_with("libraries") || text.ends_with("LIBRARIES") || text.ends_with("libs")
        })
    };
    parents(node).take(5).any(|parent| match parent.kind() {
        "keyword_argument" => is_name(parent.child_by_field_name("name")),
        "assignment" | "augmented_assignment" => is_name(parent.child_by_field_name("left")),
        "call" => is_name(parent.child_by_field_name("function")),
        _ => false,
    })
}
