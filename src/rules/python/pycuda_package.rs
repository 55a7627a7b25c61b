//! PyCUDA, which has no backend for AMD.
//!
//! ## Why on AMD
//! PyCUDA calls the driver of CUDA and nvcc. The source in its strings is translated, so that it can move; the calls around it have to
//! become those of CuPy, whose `RawModule` compiles HIP on ROCm and whose arrays take the place of `GPUArray`, or of HIP Python.
//!
//! ## Example
//! ```python
//! from pycuda.compiler import SourceModule
//! ```
//!
//! ## When to ignore
//! When AMD never runs the file.
//!
//! ## Source
//! CuPy documentation, "Using CuPy on AMD GPU"; HIP Python documentation.

use crate::rules::prelude::*;

/// Reports the first import of PyCUDA.
pub static RULE: Rule = Rule {
    code: "CASS666",
    severity: Severity::Error,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(check)],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    if !cx.mentions(&["pycuda"]) {
        return;
    }
    let file = cx.file();
    let is_pycuda = |node: &crate::python::Node<'_>| {
        let text = file.text(*node);
        text.split([' ', ',', '.']).any(|word| word == "pycuda")
    };
    let imports = file.all(&["import_statement", "import_from_statement"]);
    if let Some(first) = imports.into_iter().find(is_pycuda) {
        let finding = RULE
            .finding(file.range(first), "PyCUDA has no backend for AMD")
            .help("move to cupy.RawModule, which takes the translated source, or to hip-python");
        cx.report(finding);
    }
}
