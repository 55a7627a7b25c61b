//! A call of `load_inline` that PyTorch cannot build, on any platform.
//!
//! ## Why on AMD
//! The build fails for NVIDIA as well, so nothing was ever run; what hides the failure runs in its place. Five causes are seen in the
//! text: a `__global__` function among `functions`, which only host functions can be; a function that `cpp_sources` does not declare;
//! a separate `PYBIND11_MODULE` beside `functions`, which writes a second one; kernels in `cpp_sources`, which the host's compiler
//! reads; `AT_CUDA_CHECK` without a header that has it.
//!
//! With `--repair` what is mechanical is done: `functions` goes where the module binds all of them itself, declarations and the header
//! are added. A kernel gets a launcher where each call of it hands grid and block over by name, as CuPy's and PyCUDA's kernels are
//! called; elsewhere it is left to a person, for only the program knows which of its arguments is the grid.
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
//! `load_inline` in `torch/utils/cpp_extension.py` of PyTorch 2.11 and its documentation; `cupy.RawKernel.__call__` and
//! `pycuda.driver.Function.__call__` for the names `grid`, `block`, `args`, `shared_mem` and `shared`.

use crate::cpp::windows::DECLARATION;
use crate::python::{Node, Strings, Text};
use crate::rules::prelude::*;
use crate::text::keywords::is_specifier;
use crate::text::{Language, SourceFile};

/// Launches kernels for calls from Python, behind the sources of an extension; the module with the names is written behind it.
const LAUNCHER: &str = r#"
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/Exceptions.h>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// What Python hands over for a parameter of a kernel: a pointer as a tensor, as a number or as None.
template <class T> T kernel_argument(py::object given) {
    if constexpr (std::is_pointer_v<T>) {
        if (given.is_none()) return nullptr;
        if (THPVariable_Check(given.ptr())) return reinterpret_cast<T>(given.cast<torch::Tensor>().data_ptr());
        return reinterpret_cast<T>(given.cast<uintptr_t>());
    } else {
        return given.cast<T>();
    }
}

static dim3 launch_extent(py::object given) {
    if (!py::isinstance<py::sequence>(given)) return dim3(given.cast<unsigned>());
    auto sizes = given.cast<std::vector<unsigned>>();
    sizes.resize(3, 1);
    return dim3(sizes[0], sizes[1], sizes[2]);
}

template <class... P, size_t... I>
void launch_kernel(void (*kernel)(P...), py::sequence given, py::kwargs named, std::index_sequence<I...>) {
    TORCH_CHECK(given.size() == sizeof...(P), "the kernel takes ", sizeof...(P), " arguments, not ", given.size());
    std::tuple<P...> values{kernel_argument<P>(py::object(given[I]))...};
    void *pointers[] = {&std::get<I>(values)...};
    size_t shared = 0;
    for (const char *name : {"shared_mem", "shared"})
        if (named.contains(name)) shared = named[name].cast<size_t>();
    AT_CUDA_CHECK(cudaLaunchKernel((const void *)kernel, launch_extent(named["grid"]), launch_extent(named["block"]), pointers, shared,
                                   at::cuda::getCurrentCUDAStream()));
}

template <class... P> auto launcher(void (*kernel)(P...)) {
    return [kernel](py::args given, py::kwargs named) {
        py::sequence values = given;
        if (named.contains("args")) values = py::sequence(named["args"]);
        launch_kernel(kernel, values, named, std::index_sequence_for<P...>{});
    };
}
"#;

/// Reports calls that never build.
pub static RULE: Rule = Rule {
    code: "CASS662",
    severity: Severity::Error,
    fix: Some(Applicability::Review),
    priority: 50,
    facts: &[],
    checks: &[Check::Python(&[&["load_inline"]], check)],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    let strings = cx.strings();
    let mut findings = Vec::new();
    for &call in strings.calls("load_inline") {
        let Some(cause) = never_builds(strings, call) else {
            continue;
        };
        let finding = RULE.finding(file.range(call), cause.why).help(cause.help);
        let repair = cause.repair.filter(|_| cx.options().repair);
        findings.push(match repair {
            Some(edits) => finding.severity(Severity::Warning).fix(Fix::review(edits)),
            None => finding,
        });
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// Why a call cannot build.
struct Cause {
    why: String,
    help: &'static str,
    /// What lets it build, where that is mechanical.
    repair: Option<Vec<Edit>>,
}

/// What a call hands over.
struct Inline<'f, 't> {
    strings: &'f Strings<'t>,
    call: Node<'t>,
    cpp: Vec<Text>,
    cuda: Vec<Text>,
    functions: Vec<String>,
}

/// The first cause by which a call cannot build, and what to do.
fn never_builds<'t>(strings: &Strings<'t>, call: Node<'t>) -> Option<Cause> {
    let file = strings.file();
    let texts = |position, name| {
        let argument = file.argument(call, position, name);
        argument.map_or_else(Vec::new, |it| strings.texts(it))
    };
    let inline = Inline {
        strings,
        call,
        cpp: texts(1, "cpp_sources"),
        cuda: texts(2, "cuda_sources"),
        functions: names(strings, call),
    };
    let functions = &inline.functions;
    let (cpp, cuda) = (joined(&inline.cpp), joined(&inline.cuda));
    let (cpp, cuda) = (Source::new(&cpp), Source::new(&cuda));
    let (cpp_doc, cuda_doc) = (Document::new(&cpp.0), Document::new(&cuda.0));
    if let Some(name) = functions
        .iter()
        .find(|name| is_kernel(&cuda_doc, name) || is_kernel(&cpp_doc, name))
    {
        return Some(Cause {
            why: format!(
                "`{name}` is a kernel: `load_inline` binds host functions alone, and does not build"
            ),
            help: "write a host function that launches the kernel, declare it in cpp_sources, and name it in functions",
            repair: inline.with_launchers(&cpp_doc, &cuda_doc),
        });
    }
    let binds = |doc: &Document<'_>| doc.all("PYBIND11_MODULE").next().is_some();
    if !functions.is_empty() && (binds(&cpp_doc) || binds(&cuda_doc)) {
        return Some(Cause {
            why: "`functions` makes `load_inline` write a second PYBIND11_MODULE: the extension does not build".to_owned(),
            help: "leave out either PYBIND11_MODULE or functions",
            repair: inline.without_functions(&[&cpp_doc, &cuda_doc]),
        });
    }
    if let Some(name) = functions.iter().find(|name| !is_declared(&cpp_doc, name)) {
        return Some(Cause {
            why: format!("`{name}` is not declared in cpp_sources: `load_inline` does not build"),
            help: "declare the function in cpp_sources, where the binding is written",
            repair: inline.with_declarations(&cpp_doc, &cuda_doc),
        });
    }
    let is_device = |word: &[u8]| matches!(word, b"__global__" | b"threadIdx" | b"blockIdx");
    if !cpp_doc.all_that(is_device).is_empty() || !cpp_doc.launches.is_empty() {
        return Some(Cause {
            why: "cpp_sources has kernels or launches, which the host's compiler does not read"
                .to_owned(),
            help: "move the kernels and what launches them to cuda_sources",
            repair: None,
        });
    }
    lacks_header(&cuda_doc).then(|| Cause {
        why: "`AT_CUDA_CHECK` is in ATen/cuda/Exceptions.h, which cuda_sources does not include: `load_inline` does not build".to_owned(),
        help: "include <ATen/cuda/Exceptions.h>, or a header of ATen/cuda that does",
        repair: inline.with_header(),
    })
}

/// Whether a text checks by PyTorch's macro and includes no header that may have it.
fn lacks_header(cuda: &Document<'_>) -> bool {
    let uses = cuda.all("AT_CUDA_CHECK").next().is_some();
    let includes = |word: &[u8]| memchr::memmem::find(word, b"ATen/").is_some();
    uses && !includes(&cuda.source.bytes)
}

impl Inline<'_, '_> {
    /// The call without `functions`, where the module binds each of them by its name.
    fn without_functions(&self, docs: &[&Document<'_>]) -> Option<Vec<Edit>> {
        let bound = |name: &String| {
            let quoted = format!("\"{name}\"");
            docs.iter()
                .any(|doc| memchr::memmem::find(&doc.source.bytes, quoted.as_bytes()).is_some())
        };
        let edit = self.removed_functions()?;
        self.functions.iter().all(bound).then(|| vec![edit])
    }

    /// A module behind the sources, which binds the functions and launchers of the kernels among them.
    fn with_launchers(&self, cpp: &Document<'_>, cuda: &Document<'_>) -> Option<Vec<Edit>> {
        let binds = |name: &String| {
            if !is_kernel(cuda, name) {
                let is_defined = declaration(cuda, name).is_some();
                return is_defined.then(|| format!("    m.def(\"{name}\", &{name});\n"));
            }
            let is_launched = !is_template(cuda, name) && self.is_launched_by_name(name);
            is_launched.then(|| format!("    m.def(\"{name}\", launcher({name}));\n"))
        };
        let has_other = |doc: &Document<'_>| {
            doc.all("PYBIND11_MODULE").next().is_some() || doc.all("launcher").next().is_some()
        };
        let bound: Option<String> = self.functions.iter().map(binds).collect();
        let is_here = |name: &String| is_declared(cpp, name) && is_kernel(cpp, name);
        if has_other(cuda) || has_other(cpp) || self.functions.iter().any(is_here) {
            return None;
        }
        let module = format!(
            "{LAUNCHER}\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{\n{}}}\n",
            bound?
        );
        let source = self.cuda.last()?;
        let end = TextRange::at(source.quoted.text().len() as u32);
        let written = source.quoted.rewrite(end, &module)?;
        let mut edits = vec![self.removed_functions()?];
        edits.extend(
            written
                .into_iter()
                .map(|(range, text)| Edit::replace(range, text)),
        );
        Some(edits)
    }

    /// Whether the program calls a kernel, and each time names grid and block, as CuPy and PyCUDA have them.
    fn is_launched_by_name(&self, kernel: &str) -> bool {
        let calls = self.strings.calls(kernel);
        !calls.is_empty() && calls.iter().all(|&call| self.names_its_grid(call))
    }

    fn names_its_grid(&self, call: Node<'_>) -> bool {
        let file = self.strings.file();
        let Some(arguments) = call.child_by_field_name("arguments") else {
            return false;
        };
        let (mut named, mut is_plain) = (Vec::new(), true);
        for it in file.elements(arguments) {
            match it.child_by_field_name("name") {
                Some(name) if it.kind() == "keyword_argument" => named.push(file.text(name)),
                _ => is_plain &= !it.kind().ends_with("_splat"),
            }
        }
        let is_known = |it: &str| matches!(it, "grid" | "block" | "args" | "shared_mem" | "shared");
        is_plain
            && ["grid", "block"]
                .iter()
                .all(|it| named.iter().any(|own| own == it))
            && named.iter().all(|it| is_known(it))
    }

    /// The edit that takes `functions` out of the call.
    fn removed_functions(&self) -> Option<Edit> {
        let file = self.strings.file();
        let arguments = file.elements(self.call.child_by_field_name("arguments")?);
        let is_it = |it: &Node<'_>| {
            let name = it.child_by_field_name("name");
            it.kind() == "keyword_argument" && name.is_some_and(|it| file.text(it) == "functions")
        };
        let at = arguments.iter().position(is_it)?;
        let range = match (arguments.get(at + 1), at.checked_sub(1)) {
            (Some(next), _) => {
                TextRange::new(arguments[at].start_byte() as u32, next.start_byte() as u32)
            }
            (None, Some(before)) => TextRange::new(
                arguments[before].end_byte() as u32,
                arguments[at].end_byte() as u32,
            ),
            (None, None) => return None,
        };
        Some(Edit::delete(range))
    }

    /// Declarations of the functions behind what `cpp_sources` has.
    fn with_declarations(&self, cpp: &Document<'_>, cuda: &Document<'_>) -> Option<Vec<Edit>> {
        let missing = self.functions.iter().filter(|name| !is_declared(cpp, name));
        let declarations: Option<Vec<String>> =
            missing.map(|name| declaration(cuda, name)).collect();
        let text = declarations?.join(" ");
        let [source] = &self.cpp[..] else {
            return None;
        };
        let before = source.quoted.text();
        if before.is_empty() {
            return self.fill_empty(text);
        }
        let ends = before.trim_ascii_end().last();
        let is_open = ends.is_none_or(|it| matches!(it, b';' | b'}')) || before.ends_with(b"\n");
        let end = TextRange::at(before.len() as u32);
        let edits = source
            .quoted
            .rewrite(end, &format!(" {text}"))
            .filter(|_| is_open)?;
        Some(
            edits
                .into_iter()
                .map(|(range, text)| Edit::replace(range, text))
                .collect(),
        )
    }

    /// A text in the empty literal of `cpp_sources`.
    fn fill_empty(&self, text: String) -> Option<Vec<Edit>> {
        let argument = self.strings.file().argument(self.call, 1, "cpp_sources")?;
        let [literal] = self.strings.values(argument)[..] else {
            return None;
        };
        let quotes = match &*self.strings.file().text(literal) {
            "\"\"" | "''" => 1,
            "\"\"\"\"\"\"" | "''''''" => 3,
            _ => return None,
        };
        Some(vec![Edit::insert(literal.end_byte() as u32 - quotes, text)])
    }

    /// The header in front of what `cuda_sources` has.
    fn with_header(&self) -> Option<Vec<Edit>> {
        let source = self.cuda.first()?;
        let edits = source
            .quoted
            .rewrite(TextRange::at(0), "#include <ATen/cuda/Exceptions.h>\n")?;
        Some(
            edits
                .into_iter()
                .map(|(range, text)| Edit::replace(range, text))
                .collect(),
        )
    }
}

/// The declaration of a function that a text defines: what stands in front of its body, on one line.
fn declaration(doc: &Document<'_>, name: &str) -> Option<String> {
    // What is declared otherwise in another file, or is no function of the host.
    let is_special =
        |word: &[u8]| is_specifier(word) || matches!(word, b"template" | b"__global__" | b"#");
    let mut named = doc.all(name);
    let of = |at: usize| {
        let close = doc
            .matching_bracket(at + 1)
            .filter(|_| doc.is(at + 1, "("))?;
        let before = (0..at).rev().take(DECLARATION);
        let before = before.take_while(|&it| {
            !matches!(doc.bytes(it), b";" | b"}" | b"{" | b">" | b"\"")
                && !doc.tokens[it].has(flags::DIRECTIVE)
        });
        let first = before.last()?;
        let is_plain = !(first..at).any(|it| is_special(doc.bytes(it)));
        let range = TextRange::new(doc.range(first, first).start, doc.range(close, close).end);
        let text = doc.source.text(range);
        let is_whole =
            doc.is(close + 1, "{") && is_plain && !text.contains("//") && !text.contains('"');
        is_whole.then(|| format!("{};", text.split_whitespace().collect::<Vec<_>>().join(" ")))
    };
    named.find_map(of)
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
    let mut named = doc.all(name);
    named.any(|at| doc.is(at + 1, "(") && stands_in_front(doc, at, "__global__"))
}

/// Whether a kernel is a template, of which Python could name no instance.
fn is_template(doc: &Document<'_>, name: &str) -> bool {
    let mut named = doc.all(name);
    named.any(|at| stands_in_front(doc, at, "template"))
}

/// Whether the declaration that a name stands in has a word in front of it.
fn stands_in_front(doc: &Document<'_>, name: usize, word: &str) -> bool {
    let before = (0..name).rev().take(DECLARATION);
    let mut before = before.take_while(|&it| !matches!(doc.bytes(it), b";" | b"}" | b"{"));
    before.any(|it| doc.is(it, word))
}

fn is_declared(doc: &Document<'_>, name: &str) -> bool {
    let mut named = doc.all(name);
    named.any(|at| doc.is(at + 1, "("))
}
