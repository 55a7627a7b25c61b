//! An extension that fails to build silently: `except` goes on with something else.
//!
//! ## Why on AMD
//! A port is right if its kernels are built and run. Where `except` catches the failure of the compiler and PyTorch's own operators run in
//! the kernel's place, the results are right, the tests pass, and the kernel was never there; on AMD, where more can fail, all the more.
//!
//! ## Example
//! ```python
//! try:
//!     module = load_inline("scale", cpp_sources=header, cuda_sources=source, functions=["scale"])
//! except Exception:
//!     module = None
//! ```
//!
//! ## When to ignore
//! When another place tells a person which of the two runs.
//!
//! ## Source
//! The published code of CUDA-L1, where 333 of 402 programs with kernels run without them.

use crate::python::{Node, PyFile, Strings, parents};
use crate::rules::prelude::*;

/// Reports handlers that hide a failed build.
pub static RULE: Rule = Rule {
    code: "CASS664",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(&[], check)],
};

/// What compiles kernels.
const BUILDERS: &[&str] = &[
    "load_inline",
    "RawKernel",
    "RawModule",
    "SourceModule",
    "load",
    "compile_module",
    "CUDAKernel",
];

fn check(cx: &mut PythonContext<'_, '_>) {
    // `load` compiles only where it is PyTorch's.
    let mut compiling = BUILDERS.iter().filter(|name| **name != "load");
    if !cx.mentions(&["cpp_extension"]) && !compiling.any(|name| cx.mentions(&[name])) {
        return;
    }
    let file = cx.file();
    let strings = cx.strings();
    let mut handlers: Vec<Node<'_>> = Vec::new();
    for call in builds(file, strings) {
        let Some(handler) = hiding(file, call) else {
            continue;
        };
        if !handlers.contains(&handler) {
            handlers.push(handler);
        }
    }
    handlers.sort_by_key(Node::start_byte);
    let findings: Vec<Finding> = handlers
        .into_iter()
        .map(|handler| {
            let start = handler.start_byte() as u32;
            RULE.finding(
                TextRange::new(start, start + 6),
                "`except` hides that the extension failed to build, and falls back to other code",
            )
            .help(
                "let the exception through, or say on standard error that the kernel does not run",
            )
        })
        .collect();
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// The calls that build, and those of functions of the file that do.
fn builds<'t>(file: &'t PyFile<'t>, strings: &Strings<'t>) -> Vec<Node<'t>> {
    let is_torch = memchr::memmem::find(file.bytes(), b"cpp_extension").is_some();
    let mut calls: Vec<Node<'t>> = Vec::new();
    for name in BUILDERS.iter().filter(|name| **name != "load" || is_torch) {
        calls.extend(
            strings
                .calls(name)
                .iter()
                .filter(|call| *name != "load" || is_load(file, **call)),
        );
    }
    let of_function = |call: &Node<'t>| {
        let function = parents(*call).find(|it| it.kind() == "function_definition")?;
        function
            .child_by_field_name("name")
            .map(|it| file.text(it).into_owned())
    };
    let names: std::collections::BTreeSet<String> = calls
        .iter()
        .filter_map(of_function)
        .filter(|name| !name.starts_with("__"))
        .collect();
    calls.extend(names.iter().flat_map(|name| strings.calls(name)));
    calls
}

/// `load` of PyTorch, not of JSON or of a checkpoint.
fn is_load(file: &PyFile<'_>, call: Node<'_>) -> bool {
    file.argument(call, usize::MAX, "sources").is_some()
}

/// The first handler around a call that does not raise again.
fn hiding<'t>(file: &'t PyFile<'t>, call: Node<'t>) -> Option<Node<'t>> {
    let mut below = call;
    for parent in parents(call) {
        if parent.kind() == "try_statement" && parent.child_by_field_name("body") == Some(below) {
            let handlers = file
                .elements(parent)
                .into_iter()
                .filter(|it| it.kind() == "except_clause");
            let mut silent =
                handlers.filter(|it| file.all_below(*it, &["raise_statement"]).is_empty());
            if let Some(handler) = silent.find(|it| catches_all(file, *it)) {
                return Some(handler);
            }
        }
        if parent.kind() == "function_definition" {
            return None;
        }
        below = parent;
    }
    None
}

/// Whether a handler catches what the compiler raises.
fn catches_all(file: &PyFile<'_>, handler: Node<'_>) -> bool {
    let text = file.text(handler);
    let head = text.split(':').next().unwrap_or_default();
    let names = [
        "Exception",
        "RuntimeError",
        "BaseException",
        "CalledProcessError",
    ];
    head.trim() == "except" || names.iter().any(|name| head.contains(name))
}
