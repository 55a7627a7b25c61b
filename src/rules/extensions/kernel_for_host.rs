//! A kernel among the sources of a `CppExtension`.
//!
//! ## Why on AMD
//! PyTorch for NVIDIA gives a `.cu` of a `CppExtension` to nvcc all the same. For ROCm only `CUDAExtension` runs hipify over its sources: in a
//! `CppExtension` they reach hipcc as CUDA, and `cuda.h` is not found. For NVIDIA a `CUDAExtension` is the same with the folders and libraries
//! of CUDA.
//!
//! ## Example
//! ```python
//! cpp_extension.CppExtension("ext", ["ext.cpp", "kernel.cu"])
//! ```
//! becomes
//! ```python
//! cpp_extension.CUDAExtension("ext", ["ext.cpp", "kernel.cu"])
//! ```
//!
//! ## When to ignore
//! When the kernel is HIP already.
//!
//! ## Source
//! `CppExtension`, `CUDAExtension` and `BuildExtension` in `torch/utils/cpp_extension.py` of PyTorch 2.11.

use crate::python::{Literal, Node, PyFile};
use crate::rules::prelude::*;

/// Makes it an extension with kernels.
pub static RULE: Rule = Rule {
    code: "CASS676",
    severity: Severity::Error,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::Extension(check)],
};

/// What builds for the host, and what builds kernels.
const HOST: &str = "CppExtension";
const DEVICE: &str = "CUDAExtension";

fn check(cx: &mut PythonContext<'_, '_>) {
    if !cx.mentions(&[HOST]) {
        return;
    }
    let file = cx.file();
    let calls = file.all(&["call"]).into_iter();
    let found: Vec<Finding> = calls.filter_map(|call| of_call(file, call)).collect();
    found.into_iter().for_each(|finding| cx.report(finding));
}

fn of_call(file: &PyFile<'_>, call: Node<'_>) -> Option<Finding> {
    if file.callee(call)? != HOST || file.side(call).is_some() {
        return None;
    }
    let sources = file.argument(call, 1, "sources")?;
    let strings = file.all_below(sources, &["string"]);
    let kernel = strings
        .into_iter()
        .find(|it| Literal::new(file, *it).is_some_and(|literal| literal.text.ends_with(".cu")))?;
    let function = call.child_by_field_name("function")?;
    let message = "a kernel in a `CppExtension`: PyTorch for ROCm translates those of a `CUDAExtension` alone";
    let finding = RULE.finding(file.range(kernel), message);
    let name = match function.kind() {
        "attribute" => function.child_by_field_name("attribute")?,
        _ => function,
    };
    let is_known = function.kind() == "attribute" || imports(file, DEVICE);
    Some(match is_known {
        true => {
            let edit = Edit::replace(file.range(name), DEVICE);
            finding.severity(Severity::Info).fix(Fix::safe(vec![edit]))
        }
        false => finding
            .help("import CUDAExtension from torch.utils.cpp_extension, and write it in its place"),
    })
}

/// Whether the file imports a name of PyTorch's.
fn imports(file: &PyFile<'_>, name: &str) -> bool {
    let imports = file.all(&["import_from_statement"]).into_iter();
    let mut names = imports.flat_map(|it| file.all_below(it, &["identifier"]));
    names.any(|it| file.text(it) == name)
}
