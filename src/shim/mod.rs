//! Shim headers: one header of `#define cudaX hipX` through which a project compiles its CUDA sources for AMD unchanged.
//!
//! A shim is written for exactly the names that a tree uses, or read to see which of them it covers.

mod beyond;
mod forward;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

pub(crate) use beyond::{is_beyond, split_calls};
pub use forward::headers;

use crate::analysis::helpers::function_for;
use crate::compat;
use crate::cpp::pasted_words::pasted_words;
use crate::mapping::{ApiEntry, ApiTable, ArgEdit, Kind, Support, Verb, Version, library};
use crate::options::Options;
use crate::syntax::{Document, TokenIndex};
use crate::text::keywords::is_type_key;

/// What the shim is called in a folder of forwarding headers.
pub const HEADER_NAME: &str = "cass_cuda_shim.h";

/// How a shim gives a name its meaning.
#[derive(Clone, Copy, Debug)]
pub enum Use<'t> {
    /// By the entry of the tables.
    Entry(&'t ApiEntry),
    /// By a function of the helper header that takes the same arguments, for what the entry says if there is one.
    Helper(&'static str, Option<&'t ApiEntry>),
}

impl<'t> Use<'t> {
    /// What the tables know.
    pub fn entry(self) -> Option<&'t ApiEntry> {
        match self {
            Self::Entry(entry) => Some(entry),
            Self::Helper(_, entry) => entry,
        }
    }
}

/// Names that a shim header gives a meaning to: macros, aliases, types and functions, whatever conditions they stand in.
pub fn covered(document: &Document<'_>) -> FxHashSet<String> {
    let text = |at: TokenIndex| String::from_utf8_lossy(document.bytes(at)).into_owned();
    let mut names: FxHashSet<String> = document.macros().map(|(name, _)| text(name)).collect();
    names.extend(
        document
            .scopes()
            .iter()
            .filter_map(|function| function.name)
            .map(text),
    );
    for at in 1..document.tokens.len() {
        let alias = document.is_before(at, "using") && document.is(at + 1, "=");
        let of_class = is_type_key(document.bytes(at - 1));
        let typedef = document.is(at + 1, ";")
            && document.is_ident(at)
            && statement_starts_with(document, at, "typedef");
        if alias || of_class || typedef {
            names.insert(text(at));
        }
    }
    names
}

/// Names that a document uses and that are called differently on AMD, or that a helper stands for, with the first use of each.
pub fn used<'t>(
    document: &Document<'_>,
    table: &'t ApiTable,
) -> BTreeMap<&'static str, (Use<'t>, TokenIndex)> {
    let mut names = BTreeMap::new();
    for at in (0..document.tokens.len()).filter(|&at| document.is_ident(at)) {
        let Some((name, use_)) = use_of(document.bytes(at), table) else {
            continue;
        };
        let anybodys = document.vendor_at(document.tokens[at].start) == crate::syntax::Vendor::Any;
        if anybodys && !crate::cpp::names::is_members_name(document, at) {
            names.entry(name).or_insert((use_, at));
        }
    }
    for word in pasted_words(document).iter().filter(|word| !word.is_open()) {
        if let Some((name, use_)) = use_of(&word.text(document), table) {
            names.entry(name).or_insert((use_, word.at));
        }
    }
    for entry in table.namespaces().map(|hit| hit.entry) {
        let first = namespace_alias(entry).and_then(|_| first_use(document, entry.cuda));
        if let Some(at) = first {
            names.entry(entry.cuda).or_insert((Use::Entry(entry), at));
        }
    }
    names
}

/// The first use of a namespace in another one: `thrust::cuda`.
fn first_use(document: &Document<'_>, path: &str) -> Option<TokenIndex> {
    let (outer, last) = path.rsplit_once("::")?;
    let is_within = |&at: &TokenIndex| {
        let mut before = at;
        outer.rsplit("::").all(|part| {
            let name = before
                .checked_sub(2)
                .filter(|_| document.is_before(before, "::"));
            before = name.unwrap_or(0);
            name.is_some_and(|name| document.is(name, part))
        })
    };
    document.all(last).find(is_within)
}

/// The lines that give a namespace of Thrust AMD's meaning. Its header is one for hipcc.
fn namespace_alias(entry: &ApiEntry) -> Option<String> {
    let is_plain = entry.kind == Kind::Namespace && entry.support == Support::Full;
    let (outer, last) = entry.cuda.rsplit_once("::").filter(|_| is_plain)?;
    let target = entry
        .hip
        .filter(|target| *target == format!("{outer}::hip"))?;
    let open: String = outer
        .split("::")
        .map(|part| format!("namespace {part} {{ "))
        .collect();
    let close = " }".repeat(outer.split("::").count());
    Some(format!(
        "#ifdef __HIPCC__\n#include <thrust/system/hip/execution_policy.h>\n{open}namespace {last} = ::{target};{close}\n#endif"
    ))
}

fn use_of<'t>(word: &[u8], table: &'t ApiTable) -> Option<(&'static str, Use<'t>)> {
    let entry = table.get(word).map(|hit| hit.entry);
    let text = std::str::from_utf8(word).ok()?;
    // Functions of a warp have a mask of 32 lanes in CUDA's code, whatever HIP has under their name.
    let of_warp = text.ends_with("_sync") || matches!(text, "__activemask" | "__syncwarp");
    let lacks = entry.is_none_or(|entry| entry.support != Support::Full) || of_warp;
    if lacks && let Some(function) = function_for(text) {
        let replaced = compat::replacing(text)?.replaces;
        let name = replaced.iter().find(|name| **name == text)?;
        return Some((name, Use::Helper(function, entry)));
    }
    let concerns = |entry: &&ApiEntry| {
        !entry.is_unchanged()
            // A word that only its file makes CUDA's would be a macro for everybody.
            && (!entry.context || entry.cuda.starts_with("__"))
            && entry.kind != Kind::Namespace
            && entry.hip != Some(entry.cuda)
    };
    entry
        .filter(concerns)
        .map(|entry| (entry.cuda, Use::Entry(entry)))
}

/// The line that a shim needs for a use.
pub(crate) fn line_of(
    name: &str,
    use_: Use<'_>,
    options: &Options,
    release: Option<Version>,
) -> Option<String> {
    match use_ {
        Use::Helper(function, _) => Some(format!("#define {name} {function}")),
        Use::Entry(entry) => line(entry, options, release),
    }
}

/// The line that a shim needs for a name in one release of ROCm, or the fork for all of them; `None` when AMD has no counterpart.
pub fn line(entry: &ApiEntry, options: &Options, release: Option<Version>) -> Option<String> {
    if entry.kind == Kind::Namespace {
        return namespace_alias(entry);
    }
    let newest = Version::new(u16::MAX, 0);
    let target = entry.target(&options.choices, release.unwrap_or(newest), None)?;
    if release.is_some_and(|release| !target.rocm.contains(release)) {
        return None;
    }
    let plain = |name: &str| format!("#define {} {name}", entry.cuda);
    let newest = if target.args.is_empty() {
        plain(target.name)
    } else {
        with_arguments(entry.cuda, target.name, target.args)?
    };
    let mut text = newest;
    for older in entry.older.iter().filter(|_| release.is_none()) {
        let number =
            u32::from(older.below.major) * 10_000_000 + u32::from(older.below.minor) * 100_000;
        text = format!(
            "#if HIP_VERSION >= {number}\n{text}\n#else\n{}\n#endif",
            plain(older.hip)
        );
    }
    Some(text)
}

/// A shim header for the names of a tree: by library, with the headers that declare the targets. `generator` is who wrote it, for its first
/// line.
pub fn header(
    uses: &BTreeMap<&'static str, Use<'_>>,
    options: &Options,
    release: Option<Version>,
    generator: &str,
) -> String {
    let mut by_library = BTreeMap::<&str, Vec<&ApiEntry>>::new();
    let (mut helpers, mut aliases) = (BTreeSet::new(), String::new());
    for (name, use_) in uses {
        match use_ {
            Use::Entry(entry) => by_library.entry(entry.library).or_default().push(entry),
            Use::Helper(function, _) => {
                helpers.insert(*function);
                aliases.push_str(&format!("#define {name} {function}\n"));
            }
        }
    }
    let mut text = format!(
        "// CUDA names for AMD GPUs, for the names that this project uses. {generator}\n#pragma once\n"
    );
    text.push_str(&includes(by_library.keys()));
    if !helpers.is_empty() {
        text.push_str("\n// What HIP lacks or has for other lanes\n");
        // The host's compiler reads the header as well, and has no function of the device that these call.
        let (host, device): (BTreeSet<&str>, BTreeSet<&str>) =
            helpers.iter().copied().partition(|it| is_for_host(it));
        if !host.is_empty() {
            text.push_str(&compat::snippets(&host));
        }
        if !device.is_empty() {
            let snippets = compat::snippets(&device);
            text.push_str(&format!("#ifdef __HIP__\n{snippets}#endif\n"));
        }
        text.push_str(&format!("\n{aliases}"));
    }
    let mut missing = Vec::new();
    for (library, entries) in by_library {
        text.push_str(&format!("\n// {}\n", library::title(library)));
        for entry in entries {
            match line(entry, options, release) {
                Some(line) => text.push_str(&format!("{}{line}\n", warning_comment(entry))),
                None => missing.push(entry),
            }
        }
    }
    text + &without_macro(&missing)
}

/// Whether the host calls a helper.
fn is_for_host(helper: &str) -> bool {
    let text = compat::find(helper).map_or("", |it| it.text);
    !text.contains("__device__") || text.contains("__host__")
}

/// The headers that declare the targets in these libraries.
fn includes<'l>(libraries: impl Iterator<Item = &'l &'l str> + Clone) -> String {
    let mut text = String::new();
    if libraries.clone().any(|library| *library == "blas") {
        text.push_str("#ifndef HIPBLAS_V2\n#define HIPBLAS_V2\n#endif\n");
    }
    text.push_str("#include <hip/hip_runtime.h>\n");
    let paths: BTreeSet<&str> = libraries.filter_map(|library| header_of(library)).collect();
    text.extend(paths.iter().map(|path| format!("#include <{path}>\n")));
    text
}

/// A comment that lists the names for which no macro can stand.
fn without_macro(missing: &[&ApiEntry]) -> String {
    if missing.is_empty() {
        return String::new();
    }
    let lines = missing.iter().map(|entry| {
        let why = entry.note.unwrap_or("its arguments differ");
        format!("//   {}: {why}\n", entry.cuda)
    });
    let head = "\n// No macro can stand for these; the code that uses them has to change:\n";
    std::iter::once(head.to_owned()).chain(lines).collect()
}

/// The comment in front of a line that wants a look.
fn warning_comment(entry: &ApiEntry) -> String {
    let note = entry.note.filter(|_| entry.support == Support::Review);
    note.map_or_else(String::new, |note| format!("// {note}\n"))
}

/// A macro with parameters that edits its arguments; `None` for edits that need more than the first arguments.
fn with_arguments(cuda: &str, hip: &str, edits: &[ArgEdit<'_>]) -> Option<String> {
    let named = 1 + usize::from(edits.iter().map(|edit| edit.at).max()?);
    let mut arguments: Vec<Option<String>> = (0..named).map(|at| Some(format!("a{at}"))).collect();
    let mut inserted = vec![String::new(); named];
    for edit in edits {
        let at = usize::from(edit.at);
        match &edit.verb {
            Verb::Cast(ty) => arguments[at] = Some(format!("reinterpret_cast<{ty}>(a{at})")),
            Verb::Wrap(with) => arguments[at] = Some(format!("{with}(a{at})")),
            Verb::Drop => arguments[at] = None,
            Verb::Insert(text) => inserted[at] = format!("{text}, "),
            Verb::Replace {
                text, when: None, ..
            } => arguments[at] = Some((*text).to_owned()),
            Verb::Replace { .. } | Verb::Move(_) | Verb::Copy(_) => return None,
        }
    }
    let parameters: Vec<String> = (0..named).map(|at| format!("a{at}")).collect();
    let values: Vec<String> = arguments
        .into_iter()
        .zip(inserted)
        .filter_map(|(argument, before)| Some(format!("{before}{}", argument?)))
        .collect();
    let comma = if values.is_empty() { "" } else { ", " };
    // `##` swallows the comma when nothing follows: GNU's extension, which clang and gcc have.
    let rest = if values.is_empty() {
        "__VA_ARGS__".to_owned()
    } else {
        format!("{}{comma}##__VA_ARGS__", values.join(", "))
    };
    Some(format!(
        "#define {cuda}({}, ...) {hip}({rest})",
        parameters.join(", ")
    ))
}

/// The header that declares a library's targets, beyond the runtime's.
fn header_of(library: &str) -> Option<&'static str> {
    Some(match library {
        "blas" => "hipblas/hipblas.h",
        "blaslt" => "hipblaslt/hipblaslt.h",
        "complex" => "hip/hip_complex.h",
        "dnn" => "miopen/miopen.h",
        "fft" => "hipfft/hipfft.h",
        "fp16" => "hip/hip_fp16.h",
        "nccl" => "rccl/rccl.h",
        "nvtx" => "roctracer/roctx.h",
        "rand" => "hiprand/hiprand.h",
        "rtc" => "hip/hiprtc.h",
        "solver" => "hipsolver/hipsolver.h",
        "sparse" => "hipsparse/hipsparse.h",
        _ => return None,
    })
}

fn statement_starts_with(document: &Document<'_>, at: TokenIndex, word: &str) -> bool {
    let starts =
        |at: &TokenIndex| *at == 0 || document.is_before(*at, ";") || document.is_before(*at, "}");
    (0..=at)
        .rev()
        .take(60)
        .find(starts)
        .is_some_and(|start| document.is(start, word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn a_shim_covers_macros_aliases_and_functions_in_any_branch() {
        let text = "#if HIP_VERSION >= 70000000\n#define cudaFree hipFree\n#endif\nusing cudaStream_t = hipStream_t;\ntypedef hipEvent_t cudaEvent_t;\nstatic inline int __vsub4(int a, int b) { return a - b; }\n";
        let source = SourceFile::new("hip.h", text.as_bytes().to_vec());
        let covered = covered(&Document::new(&source));
        for name in ["cudaFree", "cudaStream_t", "cudaEvent_t", "__vsub4"] {
            assert!(covered.contains(name), "{name}");
        }
    }

    #[test]
    fn edits_become_macro_parameters() {
        let edits = [ArgEdit {
            at: 0,
            verb: Verb::Cast("const void*"),
        }];
        let text = with_arguments("cudaFuncSetAttribute", "hipFuncSetAttribute", &edits)
            .expect("a cast can be written");
        assert_eq!(
            text,
            "#define cudaFuncSetAttribute(a0, ...) hipFuncSetAttribute(reinterpret_cast<const void*>(a0), ##__VA_ARGS__)"
        );
    }
}
