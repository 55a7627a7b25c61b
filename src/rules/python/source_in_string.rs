//! CUDA source in a Python string that cannot be followed: its text is only known at run time, or nothing is seen to compile it.
//!
//! ## Why on AMD
//! Source in a string is translated where it stands: a literal, a named constant, what is joined of them, and the parts of a template
//! around its holes. What a function of another module gives back, or what is looked up at run time, is not there to be read; it still
//! reaches AMD's compiler as CUDA. So does a file of PTX, and one of machine code, a cubin, is for NVIDIA's chips alone.
//!
//! ## Example
//! ```python
//! module = cupy.RawModule(code=generate(shape))
//! ```
//!
//! ## When to ignore
//! When the text is translated where it comes from, or is no program. A kernel all of whose names HIP has as well is information. A test that expects that loading fails gives no finding,
//! nor does a text that is only compared with what a generator wrote.
//!
//! ## Source
//! CuPy documentation, user-defined kernels; `torch/utils/cpp_extension.py` of PyTorch 2.11.

use std::sync::LazyLock;

use regex::Regex;

use crate::project::open_names::is_foreign;
use crate::python::{Literal, PyFile, embedded, may_embed};
use crate::rules::prelude::*;
use crate::syntax::is_hip_macro;

/// Reports sources that are not translated.
pub static RULE: Rule = Rule {
    code: "CASS660",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[Fact::ReadsScriptsWith(KERNELS)],
    checks: &[Check::Python(&[], check)],
};

/// What stands in scripts that have or compile kernels.
const KERNELS: &[&str] = &[
    "__global__",
    "__device__",
    "#include <cuda",
    "load_inline",
    "RawKernel",
    "RawModule",
    "ElementwiseKernel",
    "ReductionKernel",
    "SourceModule",
    "nvrtc",
    "cuda.core",
];

/// A placeholder of a Jinja template: who fills `{{cub}}::BlockReduce` chooses the vendor.
static PLACEHOLDER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\{\{[^{}\n]*\}\}").expect("the expression is valid"));

fn check(cx: &mut PythonContext<'_, '_>) {
    if !may_embed(&cx.source.bytes) {
        return;
    }
    let file = cx.file();
    let strings = cx.strings();
    let of_node = |node: crate::python::Node<'_>| {
        match node.kind() {
        "string" => RULE
            .finding(file.range(node), "kernel source in this string is not translated: no call that compiles it was found")
            .help("hand the string to the call that compiles it in this file, or keep it in a .cu file")
            .severity(match is_of_torch(&file.text(node.function().unwrap_or(node))) {
                true => Severity::Info,
                false => RULE.severity,
            }),
        _ => RULE
            .finding(file.range(node), "this CUDA source is only known at run time: it is not translated")
            .help("translate the text where it is written, as a .cu file or as a constant of this file"),
    }
    };
    let is_for_both = |node: &crate::python::Node<'_>| {
        let text = file.text(*node);
        let text = PLACEHOLDER.replace_all(&text, "");
        let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        node.kind() == "string"
            && !words.any(|word| is_foreign(cx.table(), word.as_bytes()) || is_hazard(word))
    };
    let mut findings = Vec::new();
    for node in embedded(strings).unknown {
        if asks_for_amd(&file.text(node))
            || file.is_only_compared(node)
            || file.side(node).is_some()
        {
            continue;
        }
        match is_for_both(&node) {
            // A generator of a tree for both vendors writes what both take: `__global__` and the tree's own macros.
            true if cx.is_covered() => {}
            true => findings.push(of_both(file.range(node))),
            false => findings.push(of_node(node)),
        }
    }
    findings.extend(loaded_files(file));
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// Whether a source, or one in the same function, is that of an extension of PyTorch, whose build for ROCm renames what it has.
fn is_of_torch(text: &str) -> bool {
    ["torch/extension.h", "torch/types.h", "ATen/"]
        .iter()
        .any(|it| text.contains(it))
}

/// Whether a kernel serves AMD already: it asks for a macro of its builds.
fn asks_for_amd(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.any(|word| is_hip_macro(word.as_bytes()))
}

/// Whether a word is part of a name of CUDA's that a hole completes, `curand%(suffix)s`, a header's, or stands for what HIP has and takes in
/// another way: masks of lanes, assembly.
fn is_hazard(word: &str) -> bool {
    const STARTS: &[&str] = &["cuda", "curand", "cub", "nvcuda", "cooperative_groups"];
    word.ends_with("_sync") || word == "asm" || STARTS.iter().any(|it| word.starts_with(it))
}

/// What is said of a kernel all of whose names HIP has as well.
fn of_both(range: TextRange) -> Finding {
    RULE.finding(range, "HIP has all names of the kernel in this string; what it assumes of warps is not looked at, for no call that compiles it was found")
        .severity(Severity::Info)
        .help("look through it for warps of 32 lanes: AMD's data centre GPUs have 64")
}

/// Files of NVIDIA's machine code or of PTX that CuPy loads: `cupy.RawModule(path="kernels.cubin")`.
fn loaded_files(file: &PyFile<'_>) -> Vec<Finding> {
    const ENDS: &[&str] = &[".cubin", ".fatbin", ".ptx"];
    let modules = file.all(&["call"]).into_iter();
    let modules = modules.filter(|it| file.callee(*it).is_some_and(|name| name == "RawModule"));
    let of_call = |call| {
        let path = file.argument(call, usize::MAX, "path")?;
        let texts = file.all_below(path, &["string"]).into_iter();
        let name = texts.filter_map(|it| Literal::new(file, it)).last()?.text;
        let is_loaded = ENDS.iter().any(|end| name.ends_with(end))
            && file.side(call).is_none()
            && !file.is_expected_to_fail(call);
        let finding = RULE.finding(
            file.range(path),
            format!("`{name}` is code for NVIDIA's GPUs: AMD's do not load it"),
        );
        let finding = finding.severity(Severity::Error);
        is_loaded.then(|| finding.help("compile its source with `hipcc --genco --offload-arch=gfx942`, and load that file where cupy.cuda.runtime.is_hip is set"))
    };
    modules.filter_map(of_call).collect()
}
