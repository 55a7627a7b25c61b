//! A header that `cpp_extension.load()` does not translate.
//!
//! ## Why on AMD
//! For ROCm `load()` passes the sources that it is given through PyTorch's hipify, and of the headers that they include only those that
//! lie below a folder of `extra_include_paths`. A header beside the sources stays CUDA, its `ATen/cuda` and `c10/cuda` are not there,
//! and where a folder above it is called `cuda` the moved source does not find it at all. `setup.py` takes all headers below its folder.
//!
//! ## Example
//! ```python
//! load(name="ext", sources=["csrc/ext.cu"], extra_include_paths=[])
//! ```
//! becomes
//! ```python
//! load(name="ext", sources=["csrc/ext.cu"], extra_include_paths=[os.path.join(HERE, "csrc")] if torch.version.hip else [])
//! ```
//!
//! ## When to ignore
//! When the header is for both vendors as it stands.
//!
//! ## Source
//! `_jit_compile` in `torch/utils/cpp_extension.py` and `hipify` in `torch/utils/hipify/hipify_python.py` of PyTorch 2.11.

use crate::analysis::include_paths::{add_folder, below_script, values_of};
use crate::compat;
use crate::python::{Literal, Node, PyFile};
use crate::rules::prelude::*;

/// Names headers that stay CUDA.
pub static RULE: Rule = Rule {
    code: "CASS648",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::Extension(check)],
};

/// What PyTorch's hipify takes for headers.
const HEADERS: &[&str] = &["h", "hpp", "cuh"];
/// What `load()` is given.
const SOURCES: &[&str] = &["cu", "cpp", "cc", "cxx"];

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    if memchr::memmem::find(file.bytes(), b"cpp_extension").is_none() {
        return;
    }
    let found: Vec<Finding> = file
        .all(&["call"])
        .into_iter()
        .filter_map(|call| of_call(cx, file, call))
        .collect();
    found.into_iter().for_each(|finding| cx.report(finding));
}

fn of_call(cx: &PythonContext<'_, '_>, file: &PyFile<'_>, call: Node<'_>) -> Option<Finding> {
    if file.callee(call)? != "load" || file.side(call).is_some() {
        return None;
    }
    let sources = file.argument(call, 1, "sources")?;
    if is_for_host_alone(file, call, sources) {
        return None;
    }
    let paths = file.argument(call, 5, "extra_include_paths");
    let named = named_folders(file, paths)?;
    let own = cx.source.path.rsplit_once('/');
    let own = own.map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let left: Vec<&str> = headers_below(cx, &own)
        .filter(|header| {
            let mut folders = header[own.len()..].split('/').rev().skip(1);
            !folders.any(|folder| named.iter().any(|name| name == folder))
        })
        .collect();
    let first = left.first()?;
    let message = match left.len() {
        1 => format!("`load` leaves `{first}` CUDA on AMD"),
        more => format!(
            "`load` leaves `{first}` and {} more headers CUDA on AMD",
            more - 1
        ),
    };
    let folder = common_folder(&left);
    let below = folder.strip_prefix(own.trim_end_matches('/'));
    let below = below.unwrap_or(folder);
    let parts: Vec<&str> = below.split('/').filter(|part| !part.is_empty()).collect();
    let folder = below_script(file, &parts);
    let range = file.range(call.child_by_field_name("function")?);
    let finding = RULE.finding(range, message);
    Some(match add_folder(file, call, &folder) {
        Some(edits) => finding.severity(Severity::Info).fix(Fix::safe(edits)),
        None => finding.help(format!(
            "PyTorch's hipify takes headers below `extra_include_paths`: add `{folder}` there"
        )),
    })
}

/// Whether `load` is given no kernel, as far as its sources can be read: PyTorch translates nothing then, and builds for the host.
fn is_for_host_alone(file: &PyFile<'_>, call: Node<'_>, sources: Node<'_>) -> bool {
    let strings = file.all_below(sources, &["string"]);
    let literals: Vec<Literal> = strings
        .iter()
        .filter_map(|it| Literal::new(file, *it))
        .collect();
    let is_kernel = |it: &Literal| it.text.ends_with(".cu") || it.text.ends_with(".cuh");
    let is_source = |it: &Literal| SOURCES.iter().any(|end| it.text.ends_with(end));
    sources.kind() == "list"
        && literals.iter().any(is_source)
        && !literals.iter().any(is_kernel)
        && !file.text(call).contains("with_cuda")
}

/// The folders that an argument names by the last parts of their paths; `None` where what it holds cannot be read.
fn named_folders(file: &PyFile<'_>, paths: Option<Node<'_>>) -> Option<Vec<String>> {
    let Some(paths) = paths else {
        return Some(Vec::new());
    };
    let values = match paths.kind() {
        "identifier" => values_of(file, &file.text(paths)),
        _ => vec![paths],
    };
    let (mut named, mut is_empty) = (Vec::new(), !values.is_empty());
    for value in values {
        let strings = file.all_below(value, &["string"]);
        let literals = strings.iter().filter_map(|it| Literal::new(file, *it));
        let before = named.len();
        for literal in literals {
            named.extend(literal.text.split('/').map(str::to_owned));
        }
        let text = file.squeezed(value);
        is_empty &= named.len() > before || matches!(&*text, "[]" | "()" | "None");
    }
    is_empty.then_some(named)
}

/// Headers below a folder that say CUDA and that a source below it includes.
fn headers_below<'c>(cx: &'c PythonContext<'_, '_>, folder: &str) -> impl Iterator<Item = &'c str> {
    let is_of = |path: &str, kinds: &[&str]| {
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        kinds.contains(&extension)
    };
    let project = cx.project;
    let mut reached = Vec::new();
    for path in project.paths.all().filter(|path| path.starts_with(folder)) {
        let mut includers = project.includers(path);
        let is_included = includers.any(|it| it.starts_with(folder) && is_of(it, SOURCES));
        // The helper header is for both vendors.
        let is_helpers = path.ends_with(compat::HEADER_NAME);
        if is_of(path, HEADERS) && !is_helpers && is_included && project.plain_bytes(path).is_none()
        {
            reached.push(path);
        }
    }
    reached.sort_unstable();
    reached.into_iter()
}

/// The deepest folder above all of them.
fn common_folder<'p>(paths: &[&'p str]) -> &'p str {
    let mut common = paths
        .first()
        .map_or("", |path| path.rsplit_once('/').map_or("", |it| it.0));
    while !paths.iter().all(|path| {
        path.strip_prefix(common)
            .is_some_and(|rest| rest.starts_with('/'))
    }) {
        match common.rsplit_once('/') {
            Some((above, _)) => common = above,
            None => return "",
        }
    }
    common
}
