//! A package of Python that has no backend for AMD: PyCUDA, cuda-python, and libraries of NVIDIA's.
//!
//! ## Why on AMD
//! PyCUDA calls the driver of CUDA and nvcc. The source in its strings is translated, so that it can move; the calls around it have to
//! become those of CuPy, whose `RawModule` compiles HIP on ROCm and whose arrays take the place of `GPUArray`, or of HIP Python.
//! cuda-python calls the same driver; HIP Python has a package with its modules. NVSHMEM, TensorRT, DALI, DeepGEMM, FlashAttention 3,
//! CUTLASS with its CuTe DSL, cuTile, nvFuser and cuDNN's frontend are NVIDIA's libraries or kernels for its chips alone. Of RAPIDS there
//! are cuDF and RMM for AMD, under the same names, in AMD's own index; so are FlashInfer and TransformerEngine, as a port and a fork of AMD's.
//!
//! ## Example
//! ```python
//! from pycuda.compiler import SourceModule
//! ```
//!
//! ## When to ignore
//! When AMD never runs the file; one that is called after the package, `attention_cute.py`, is the program's choice among others, and gets
//! information, and so does one that is called after an architecture, `gemm_sm100.py`. In the tree of the package itself its name is its own, and so is that
//! of a module that lies beside the script, or in a folder above.
//! An import that is tried, where the script goes on without it, or by the `__init__` of its class, or made where the program found the package, gives no finding, or
//! information where it is PyCUDA's; nor does cuda-python beside another of them, whose kernels it serves, nor what a test puts something else in the place of.
//!
//! ## Source
//! CuPy documentation, "Using CuPy on AMD GPU"; HIP Python documentation; `hip-python-interop` 10.0; hipDF and hipMM documentation.

use crate::analysis::nvidia_modules::{
    ends_script, imported, imports_of_nvidia, is_asked_before, is_called_after_module, is_option,
    is_skipped_without,
};
use crate::mapping::ModuleTable;
use crate::python::{Node, PyFile, parents};
use crate::rules::prelude::*;

/// Reports the first import of each.
pub static RULE: Rule = Rule {
    code: "CASS666",
    severity: Severity::Error,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::PythonListed(ModuleTable::texts, check)],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    if is_skipped_without(file) {
        return;
    }
    let severity = match is_called_after_module(file, &cx.source.path) {
        true => Severity::Info,
        false => RULE.severity,
    };
    let mut told: Vec<&str> = Vec::new();
    let mut findings = Vec::new();
    let imports = imports_of_nvidia(file);
    let others = imports.iter().filter(|(_, it)| !it.row.serves);
    let others: Vec<Node<'_>> = others.map(|(import, _)| *import).collect();
    // A stream for a kernel of CuTe or cuDNN falls with the kernel.
    let is_for_another = |import: Node<'_>| match import.function() {
        Some(_) => !others.is_empty(),
        None => others
            .iter()
            .any(|it| it.function().is_none() && is_open(file, *it)),
    };
    for (import, module) in &imports {
        let is_told = module.name == "pycuda" || is_open(file, *import);
        let is_near = |name: &String| {
            let paths = &cx.project.paths;
            paths.is_module_near(&cx.source.path, name)
        };
        let is_left = !is_told
            || imported(file, *import).iter().any(is_near)
            || told.contains(&&*module.row.help)
            || cx.project.paths.is_package(&module.name)
            || file.is_replaced(root_of(&module.name))
            || module.row.serves && is_for_another(*import);
        if !is_left {
            told.push(&module.row.help);
            // A program that goes on without PyCUDA has another way; its source is translated all the same.
            let is_spare = module.name == "pycuda" && !is_open(file, *import);
            let severity = match is_spare || is_option(file, *import, module) {
                true => Severity::Info,
                // Somebody may have built or installed it for AMD.
                false if module.row.built || module.row.on_amd => severity.min(Severity::Warning),
                false => severity,
            };
            findings.push(
                RULE.finding(file.range(*import), &*module.row.message)
                    .severity(severity)
                    .help(&*module.row.help),
            );
        }
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// The package that a module belongs to.
fn root_of(module: &str) -> &str {
    module.split('.').next().unwrap_or(module)
}

/// Whether nothing keeps an import from AMD, and the program ends where it fails.
fn is_open(file: &PyFile<'_>, import: Node<'_>) -> bool {
    let is_tried = || {
        let function = import.function();
        file.is_tried(import) && !ends_script(file, import)
            || function.is_some_and(|it| file.is_always_tried(it))
            || file.is_tried_by_class(import)
    };
    file.side(import).is_none()
        && !is_tried()
        && !is_asked_before(file, import)
        && !is_left_before(file, import)
}

/// Whether the function around an import tried the same one in front, and is left where that fails: a test is skipped, or
/// the function returns.
fn is_left_before(file: &PyFile<'_>, import: Node<'_>) -> bool {
    let Some(function) = import.function() else {
        return false;
    };
    let root = |it: Node<'_>| {
        let text = file.text(it).into_owned();
        let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        words.nth(1).map(str::to_owned)
    };
    let leaves = |attempt: Node<'_>| {
        let mut clauses = attempt
            .named_children()
            .filter(|it| it.kind() == "except_clause");
        clauses.all(|clause| {
            let body = clause.named_children().last();
            let last = body.and_then(|it| file.elements(it).pop());
            last.is_some_and(|it| it.kind() == "return_statement" || file.skips_or_exits(it))
        })
    };
    let imports = file.all_below(function, &["import_statement", "import_from_statement"]);
    let before = imports.into_iter().take_while(|it| *it != import);
    before.filter(|it| root(*it) == root(import)).any(|it| {
        let attempt = parents(it).find(|around| around.kind() == "try_statement");
        attempt.is_some_and(|it| function.is_around(it) && leaves(it))
    })
}
