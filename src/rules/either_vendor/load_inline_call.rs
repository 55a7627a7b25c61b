//! A call of `load_inline` that PyTorch cannot build, on any platform.
//!
//! ## Why on AMD
//! The build fails for NVIDIA as well, so nothing was ever run; what hides the failure runs in its place. Four causes are seen in the
//! text: a `__global__` function among `functions`, which only host functions can be; a function that `cpp_sources` does not declare;
//! a separate `PYBIND11_MODULE` beside `functions`, which writes a second one; kernels in `cpp_sources`, which the host's compiler
//! reads.
//!
//! ## Example
//! ```python
//! load_inline("scale", cpp_sources="", cuda_sources="__global__ void scale(float *x) { *x *= 2; }", functions=["scale"])
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! `load_inline` in `torch/utils/cpp_extension.py` of PyTorch 2.11 and its documentation.

use crate::cpp::windows::DECLARATION;
use crate::python::{Node, Strings, Text};
use crate::rules::prelude::*;
use crate::text::{Language, SourceFile};

/// Reports calls that never build.
pub static RULE: Rule = Rule {
    code: "CASS662",
    severity: Severity::Error,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(&[&["load_inline"]], check)],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    let strings = cx.strings();
    let mut findings = Vec::new();
    for &call in strings.calls("load_inline") {
        if let Some((why, help)) = never_builds(strings, call) {
            findings.push(RULE.finding(file.range(call), why).help(help));
        }
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// The first cause by which a call cannot build, and what to do.
fn never_builds(strings: &Strings<'_>, call: Node<'_>) -> Option<(String, &'static str)> {
    let file = strings.file();
    let texts = |position, name| {
        let argument = file.argument(call, position, name);
        argument.map_or_else(Vec::new, |it| strings.texts(it))
    };
    let (cpp, cuda) = (
        joined(&texts(1, "cpp_sources")),
        joined(&texts(2, "cuda_sources")),
    );
    let functions = names(strings, call);
    let (cpp, cuda) = (Source::new(&cpp), Source::new(&cuda));
    let (cpp_doc, cuda_doc) = (Document::new(&cpp.0), Document::new(&cuda.0));
    if let Some(name) = functions
        .iter()
        .find(|name| is_kernel(&cuda_doc, name) || is_kernel(&cpp_doc, name))
    {
        let why = format!(
            "`{name}` is a kernel: `load_inline` binds host functions alone, and does not build"
        );
        return Some((
            why,
            "write a host function that launches the kernel, declare it in cpp_sources, and name it in functions",
        ));
    }
    let binds = |doc: &Document<'_>| !doc.all_that(|word| word == b"PYBIND11_MODULE").is_empty();
    if !functions.is_empty() && (binds(&cpp_doc) || binds(&cuda_doc)) {
        let why = "`functions` makes `load_inline` write a second PYBIND11_MODULE: the extension does not build";
        return Some((
            why.to_owned(),
            "leave out either PYBIND11_MODULE or functions",
        ));
    }
    if let Some(name) = functions.iter().find(|name| !is_declared(&cpp_doc, name)) {
        let why = format!("`{name}` is not declared in cpp_sources: `load_inline` does not build");
        return Some((
            why,
            "declare the function in cpp_sources, where the binding is written",
        ));
    }
    let is_device = |word: &[u8]| matches!(word, b"__global__" | b"threadIdx" | b"blockIdx");
    if !cpp_doc.all_that(is_device).is_empty() || !cpp_doc.launches.is_empty() {
        let why = "cpp_sources has kernels or launches, which the host's compiler does not read";
        return Some((
            why.to_owned(),
            "move the kernels and what launches them to cuda_sources",
        ));
    }
    None
}

/// A text as C++.
struct Source(SourceFile);

impl Source {
    fn new(text: &[u8]) -> Self {
        let mut file = SourceFile::new("inline.cu", text.to_vec());
        file.language = Language::CFamily;
        Self(file)
    }
}

fn joined(texts: &[Text]) -> Vec<u8> {
    let parts: Vec<&[u8]> = texts.iter().map(|text| text.quoted.text()).collect();
    parts.join(&b'\n')
}

/// The functions that a call binds; those of them that are literals.
fn names(strings: &Strings<'_>, call: Node<'_>) -> Vec<String> {
    let file = strings.file();
    let Some(argument) = file.argument(call, 3, "functions") else {
        return Vec::new();
    };
    let texts = match argument.kind() {
        "dictionary" => {
            let keys = file
                .elements(argument)
                .into_iter()
                .filter_map(|pair| pair.child_by_field_name("key"));
            keys.flat_map(|key| strings.texts(key)).collect()
        }
        _ => strings.texts(argument),
    };
    let text = |it: Text| String::from_utf8_lossy(it.quoted.text()).into_owned();
    texts.into_iter().map(text).collect()
}

/// Whether a name is that of a kernel which the text defines or declares.
fn is_kernel(doc: &Document<'_>, name: &str) -> bool {
    let named = doc.all_that(|word| word == name.as_bytes());
    named.into_iter().any(|at| {
        let before = (0..at)
            .rev()
            .take(DECLARATION)
            .take_while(|&it| !matches!(doc.bytes(it), b";" | b"}" | b"{"));
        doc.is(at + 1, "(") && before.into_iter().any(|it| doc.is(it, "__global__"))
    })
}

fn is_declared(doc: &Document<'_>, name: &str) -> bool {
    let named = doc.all_that(|word| word == name.as_bytes());
    named.into_iter().any(|at| doc.is(at + 1, "("))
}
