//! A header that PyTorch's build of an extension does not translate.
//!
//! ## Why on AMD
//! For ROCm `load()` passes the sources that it is given through PyTorch's hipify, and of the headers that they include only those that
//! lie below a folder of `extra_include_paths`. A header beside the sources stays CUDA, its `ATen/cuda` and `c10/cuda` are not there,
//! and where a folder above it is called `cuda` the moved source does not find it at all. An extension of `setup.py` has those translated
//! that stand beside what includes them or below its `include_dirs`; of a folder that only an option names, `-Iinclude`, hipify knows nothing,
//! and nothing of a header that an option includes, `-include types.cuh`.
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

use crate::analysis::include_paths::{add_folder, below_script, between_arguments, values_of};
use crate::compat;
use crate::python::{Literal, Node, PyFile, parents};
use crate::rules::prelude::*;

/// Names headers that stay CUDA, or the folders that hold them.
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
        .filter_map(|call| of_call(cx, file, call).or_else(|| of_extension(cx, file, call)))
        .chain(forced(cx, file))
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

/// Headers that an option includes in front of all sources, `"-include", "types.cuh"`: hipify follows what sources include.
fn forced(cx: &PythonContext<'_, '_>, file: &PyFile<'_>) -> Vec<Finding> {
    let is_option = |it: &Node<'_>| Literal::new(file, *it).is_some_and(|it| it.text == "-include");
    let options = file.all(&["string"]).into_iter().filter(is_option);
    let of_option = |option: Node<'_>| {
        let list = option.parent().filter(|_| file.side(option).is_none())?;
        let given = file.elements(list);
        let value = given.iter().position(|it| *it == option)?;
        let strings = file.all_below(*given.get(value + 1)?, &["string"]);
        let name = Literal::new(file, strings.last().copied()?)?.text;
        // What is behind the last hole tells the headers that it may be.
        let end = name
            .rsplit(['}', '/'])
            .next()
            .filter(|it| is_of(it, HEADERS))?;
        let mut headers = cx.project.paths.all().filter(|it| it.ends_with(end));
        let header = headers.find(|it| cx.project.plain_bytes(it).is_none())?;
        let message = format!(
            "PyTorch's hipify leaves `{header}` CUDA on AMD: an option includes it, and no source"
        );
        let finding = RULE.finding(file.range(option), message);
        Some(finding.help("include it at the head of the sources instead, by `#include \"x\"`"))
    };
    options.filter_map(of_option).collect()
}

/// An extension of a setup script whose headers lie in a folder that an option alone names.
fn of_extension(cx: &PythonContext<'_, '_>, file: &PyFile<'_>, call: Node<'_>) -> Option<Finding> {
    if file.callee(call)? != "CUDAExtension" || file.side(call).is_some() {
        return None;
    }
    let options = file.argument(call, usize::MAX, "extra_compile_args")?;
    let dirs = file.argument(call, usize::MAX, "include_dirs");
    let known = named_folders(file, dirs)?;
    let own = cx.source.path.rsplit_once('/');
    let own = own.map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let left: Vec<&str> = headers_below(cx, &own)
        .filter(|header| !stands_beside_sources(cx, header))
        .collect();
    let is_in = |header: &str, name: &str| header[own.len()..].split('/').any(|it| it == name);
    let mut folders: Vec<Folder> = folders_of_options(file, options);
    folders.retain(|folder| {
        !known.contains(&folder.name) && left.iter().any(|header| is_in(header, &folder.name))
    });
    let first = folders.first()?;
    let header = left.iter().find(|header| is_in(header, &first.name))?;
    let message = format!(
        "PyTorch's hipify leaves `{header}` CUDA on AMD: it reads the folders of `include_dirs`, and none of `-I`"
    );
    let finding = RULE.finding(first.range, message);
    let folders: Vec<&str> = folders.iter().map(|it| it.text.as_str()).collect();
    Some(match with_folders(file, call, dirs, &folders.join(", ")) {
        Some(edit) => finding.severity(Severity::Info).fix(Fix::safe(vec![edit])),
        None => finding.help("name the folder in `include_dirs` of the extension as well"),
    })
}

/// A folder that an option names.
struct Folder {
    /// The last part of its path.
    name: String,
    /// What stands for it in the script.
    text: String,
    /// The option.
    range: TextRange,
}

/// The folders that options of an extension name, each once: `"-Iinclude"`, `"-I{}".format(folder)`, `"-I" + folder`.
fn folders_of_options(file: &PyFile<'_>, options: Node<'_>) -> Vec<Folder> {
    const PARTS: &[&str] = &["argument_list", "attribute", "binary_operator", "call"];
    let mut found: Vec<Folder> = Vec::new();
    for option in file.all_below(options, &["string"]) {
        let written = file.text(option);
        let start = written.trim_start_matches(|it: char| it.is_ascii_alphabetic());
        if !start.trim_start_matches(['"', '\'']).starts_with("-I") {
            continue;
        }
        let around = parents(option).take_while(|it| *it != options && PARTS.contains(&it.kind()));
        let whole = around.filter(|it| it.kind() != "argument_list").last();
        let whole = whole.unwrap_or(option);
        let text = file.text(whole).replacen("-I", "", 1);
        let text = ["\"\" + ", "'' + "]
            .iter()
            .find_map(|empty| text.strip_prefix(empty).map(str::to_owned))
            .unwrap_or(text);
        let literals = file.all_below(whole, &["string"]).into_iter();
        let last = literals.filter_map(|it| Literal::new(file, it)).last();
        let name = last.and_then(|it| it.text.rsplit('/').next().map(str::to_owned));
        let name = name.map(|it| it.trim_start_matches("-I").to_owned());
        let is_known = |it: &Folder| it.text == text;
        if let Some(name) = name.filter(|_| !found.iter().any(is_known)) {
            let range = file.range(whole);
            found.push(Folder { name, text, range });
        }
    }
    found
}

/// The edit that gives an extension more folders for headers.
fn with_folders(
    file: &PyFile<'_>,
    call: Node<'_>,
    dirs: Option<Node<'_>>,
    folders: &str,
) -> Option<Edit> {
    if let Some(dirs) = dirs {
        let last = file
            .elements(dirs)
            .pop()
            .filter(|_| dirs.kind() == "list")?;
        return Some(Edit::insert(file.range(last).end, format!(", {folders}")));
    }
    let arguments = file.elements(call.child_by_field_name("arguments")?);
    let last = *arguments
        .last()
        .filter(|it| it.kind() == "keyword_argument")?;
    let between = between_arguments(file, last);
    let text = format!("{between}include_dirs=[{folders}]");
    Some(Edit::insert(file.range(last).end, text))
}

/// Whether all sources that include a header find it beside themselves, by the path that they write.
fn stands_beside_sources(cx: &PythonContext<'_, '_>, header: &str) -> bool {
    let mut sources = cx.project.includers(header).filter(|it| is_of(it, SOURCES));
    sources.all(|source| {
        let written = cx.project.files.get(source);
        let mut written = written.into_iter().flat_map(|it| &it.includes);
        written.any(|include| cx.project.paths.is_found_beside(source, include, header))
    })
}

/// Whether a path ends as files of some kinds do.
fn is_of(path: &str, kinds: &[&str]) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    kinds.contains(&extension)
}

/// Whether `load` is given no kernel, as far as its sources can be read: PyTorch translates nothing then, and builds for the host.
fn is_for_host_alone(file: &PyFile<'_>, call: Node<'_>, sources: Node<'_>) -> bool {
    let lists = match sources.kind() {
        "identifier" => values_of(file, &file.text(sources)),
        _ => vec![sources],
    };
    let is_kernel = |it: &String| it.ends_with(".cu") || it.ends_with(".cuh");
    let is_source = |it: &String| SOURCES.iter().any(|end| it.ends_with(end));
    let names: Vec<String> = lists
        .iter()
        .flat_map(|it| texts_below(file, *it, FOLLOWED))
        .collect();
    !lists.is_empty()
        && lists.iter().all(|it| it.kind() == "list")
        && names.iter().any(is_source)
        && !names.iter().any(is_kernel)
        && !file.text(call).contains("with_cuda")
}

/// How many variables in a row are followed from one to what it is given.
const FOLLOWED: usize = 2;

/// The texts in a value, and in what the variables in it are given: `[str(HERE / "bind.cpp"), KERNEL]`.
fn texts_below(file: &PyFile<'_>, value: Node<'_>, depth: usize) -> Vec<String> {
    let strings = file.all_below(value, &["string"]).into_iter();
    let literals = strings.filter_map(|it| Literal::new(file, it));
    let mut texts: Vec<String> = literals.map(|it| it.text.to_string()).collect();
    let Some(depth) = depth.checked_sub(1) else {
        return texts;
    };
    for name in file.all_below(value, &["identifier"]) {
        let given = values_of(file, &file.text(name));
        texts.extend(
            given
                .into_iter()
                .flat_map(|it| texts_below(file, it, depth)),
        );
    }
    texts
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
