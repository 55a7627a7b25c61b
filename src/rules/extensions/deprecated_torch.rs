//! Something of PyTorch that its present releases no longer have, on either vendor.
//!
//! ## Why on AMD
//! ROCm's builds of PyTorch are recent ones. `AT_DISPATCH_…(x.type(), …)` does not compile with them, nor do headers of THC, which went
//! with PyTorch 1.11, and with them what they brought of ATen, nor `AT_CHECK`, `THCudaCheck` and `THCudaMalloc`. What stands in their place means
//! the same for NVIDIA; `ATen/ceil_div.h` is there since PyTorch 1.10, the rest for longer. `torch.utils.ffi`, which built extensions of C,
//! went with PyTorch 1.0: what it built has to be written anew. `CHECK_EQ` and its like went
//! from the headers of its logging, which say `TORCH_CHECK_EQ` in 2.11; `TORCH_CHECK` compares the same in older ones too.
//!
//! ## Example
//! ```cuda
//! #include <THC/THCAtomics.cuh>
//! void run(at::Tensor x) { AT_DISPATCH_FLOATING_TYPES(x.type(), "run", [&] { work<scalar_t>(x); }); }
//! ```
//! becomes
//! ```hip
//! #include <ATen/cuda/Atomic.cuh>
//! void run(at::Tensor x) { AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "run", [&] { work<scalar_t>(x); }); }
//! ```
//!
//! ## When to ignore
//! When the extension is for PyTorch before 1.5 alone.
//!
//! ## Source
//! `ATen/Dispatch.h` and `ATen/cuda/Atomic.cuh` of PyTorch 2.11; release notes of PyTorch 1.11.

use crate::python::{Node, parents};
use crate::rules::prelude::*;
use crate::text::{lines_around, whole_lines};

/// Writes what today's PyTorch has.
pub static RULE: Rule = Rule {
    code: "CASS646",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[
        Check::Include(of_include),
        Check::Source(dispatches),
        Check::Source(renamed),
        Check::Source(compared),
        Check::Python(
            &[&["torch.utils"], &["utils.ffi", "utils import ffi"]],
            of_import,
        ),
    ],
};

/// The module that built extensions of C before PyTorch 1.0, whose functions took the tensors of TH and THC.
const FFI: &str = "torch.utils.ffi";

/// What builds them today.
const BIND: &str = "build with torch.utils.cpp_extension: bind functions of C++ that take at::Tensor with pybind11, and give CUDAExtension their sources, those of the kernels among them";

/// An import of a module that went; one that is tried may fail, and gives no finding.
fn of_import(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    let is_ffi = |import: &Node<'_>| {
        let module = import.child_by_field_name("module_name");
        let module = module.map(|module| file.dotted(module));
        let mut names = import.children_by_field_name("name");
        match module.as_deref() {
            Some("torch.utils") => {
                names.any(|name| file.text(name).split_whitespace().next() == Some("ffi"))
            }
            Some(module) => module == FFI,
            None => names.any(|name| file.text(name).split_whitespace().next() == Some(FFI)),
        }
    };
    let is_tried = |import: &Node<'_>| parents(*import).any(|it| it.kind() == "try_statement");
    let imports = file.all(&["import_statement", "import_from_statement"]);
    let imports = imports.into_iter();
    let found: Vec<Finding> = imports
        .filter(|import| is_ffi(import) && !is_tried(import))
        .map(|import| {
            let message = format!("PyTorch has no `{FFI}` since 1.0");
            let finding = RULE.finding(file.range(import), message);
            finding.severity(Severity::Error).help(BIND)
        })
        .collect();
    found.into_iter().for_each(|finding| cx.report(finding));
}

/// Headers that went with PyTorch 1.11, and what has their contents; empty where nothing is needed.
const HEADERS: &[(&str, &str)] = &[
    ("THC/THC.h", ""),
    ("THC/THCAtomics.cuh", "ATen/cuda/Atomic.cuh"),
    ("THC/THCDeviceUtils.cuh", "ATen/cuda/DeviceUtils.cuh"),
    ("THC/THCNumerics.cuh", "ATen/cuda/NumericLimits.cuh"),
    ("THC/THCGeneral.h", ""),
    ("THC/THCTensor.h", ""),
    // Found where a build names the folder itself.
    ("THC.h", ""),
    ("THCAtomics.cuh", "ATen/cuda/Atomic.cuh"),
];

/// Headers that PyTorch has in another folder today.
const MOVED: &[(&str, &str)] = &[
    ("ATen/CUDAGeneratorImpl.h", "ATen/cuda/CUDAGeneratorImpl.h"),
    (
        "ATen/SparseTensorUtils.h",
        "ATen/native/SparseTensorUtils.h",
    ),
];

/// An include of such a header, unless the file knows the other folder as well: `#ifdef OLD_PATH`.
fn moved(include: &Include, path: &str, cx: &mut Context<'_, '_>) {
    let Some((_, target)) = MOVED.iter().find(|(old, _)| *old == path) else {
        return;
    };
    let mut includes = cx.doc.includes.iter();
    if includes.any(|it| cx.doc.source.slice(it.path) == target.as_bytes()) {
        return;
    }
    let message = format!("PyTorch has `{path}` as `{target}` today");
    let edit = Edit::replace(include.path, *target);
    let finding = RULE.finding(include.directive, message);
    cx.report(
        finding
            .severity(Severity::Info)
            .fix(Fix::review(vec![edit])),
    );
}

fn of_include(include: &Include, cx: &mut Context<'_, '_>) {
    if !cx.is_torch() {
        return;
    }
    let path = cx.text_of(include.path).into_owned();
    moved(include, &path, cx);
    let Some((_, target)) = HEADERS.iter().find(|(old, _)| *old == path) else {
        return;
    };
    // A header of the project's own that is called so.
    if !path.contains('/') && cx.project.paths.files_called(&path) > 0 {
        return;
    }
    let finding = RULE.finding(
        include.directive,
        format!("PyTorch has no `{path}` since 1.11"),
    );
    if target.is_empty() && is_mended(cx.doc) {
        let needed = needed(cx.doc).into_iter();
        let needed: Vec<String> = needed
            .filter(|path| !includes_also(cx, include, path))
            .map(|path| format!("#include <{path}>"))
            .collect();
        let edit = match needed.is_empty() {
            true => Edit::delete(line_of(cx, include.directive)),
            false => Edit::replace(include.directive, needed.join("\n")),
        };
        let finding = finding.severity(Severity::Info);
        return cx.report(finding.fix(Fix::review(vec![edit])));
    }
    if target.is_empty() {
        return cx.report(finding.help("use ATen/cuda/CUDAContext.h and c10/cuda/CUDAException.h for what the file takes from it"));
    }
    let mut target = (*target).to_owned();
    // The old header had THCCeilDiv, its successor has no at::ceil_div.
    let is_asked = cx.doc.all("THCCeilDiv").next().is_some() && !is_own(cx.doc, "THCCeilDiv");
    let has_it = includes_also(cx, include, "ATen/ceil_div.h") || is_mended_by_other(cx.doc);
    if path == "THC/THCDeviceUtils.cuh" && include.angled && is_asked && !has_it {
        target += &format!(">{}#include <ATen/ceil_div.h", cx.doc.newline());
    }
    let edit = Edit::replace(include.path, target);
    let finding = finding
        .severity(Severity::Info)
        .fix(Fix::review(vec![edit]));
    cx.report(finding);
}

/// Whether an include of THC.h brings what the file needs in its place.
fn is_mended_by_other(doc: &Document<'_>) -> bool {
    let is_emptied = |path: &[u8]| {
        HEADERS
            .iter()
            .any(|(old, new)| new.is_empty() && old.as_bytes() == path)
    };
    let mut includes = doc.includes.iter();
    is_mended(doc) && includes.any(|it| is_emptied(doc.source.slice(it.path)))
}

/// Whether another line of the file includes a header, under no condition.
fn includes_also(cx: &Context<'_, '_>, include: &Include, path: &str) -> bool {
    let mut others = cx.doc.includes.iter();
    others.any(|other| {
        let start = other.directive.start;
        start != include.directive.start
            && cx.doc.source.slice(other.path) == path.as_bytes()
            && cx.doc.is_sure_on_hip(start)
    })
}

/// A statement and the comment behind it in its line.
fn with_comment(cx: &Context<'_, '_>, statement: TextRange) -> TextRange {
    let bytes = &cx.doc.source.bytes;
    let line = lines_around(bytes, statement);
    let behind = bytes[statement.end as usize..line.end as usize].trim_ascii_end();
    match behind.trim_ascii_start().starts_with(b"//") {
        true => TextRange::new(statement.start, statement.end + behind.len() as u32),
        false => statement,
    }
}

/// The line of a directive or statement, where nothing else stands in it.
fn line_of(cx: &Context<'_, '_>, range: TextRange) -> TextRange {
    whole_lines(&cx.doc.source.bytes, range).unwrap_or(range)
}

/// What of THC has another name today.
const RENAMED: &[(&str, &str)] = &[
    ("AT_CHECK", "TORCH_CHECK"),
    ("THCudaCheck", "C10_CUDA_CHECK"),
    ("THCCeilDiv", "at::ceil_div"),
];

/// What gives the current stream of a state.
const STREAM: &str = "THCState_getCurrentStream";

/// Memory of THC's allocator, which took the state in front, and what has no state.
const OF_ALLOCATOR: &[(&str, &str)] = &[
    ("THCudaMalloc", "c10::cuda::CUDACachingAllocator::raw_alloc"),
    ("THCudaFree", "c10::cuda::CUDACachingAllocator::raw_delete"),
];

/// Whether nothing of THC is left in a file that its headers would be needed for.
fn is_mended(doc: &Document<'_>) -> bool {
    let is_left = |word: &[u8]| {
        let has = |names: &[(&str, &str)]| names.iter().any(|(name, _)| name.as_bytes() == word);
        word.starts_with(b"TH")
            && word != b"THC"
            && !word.starts_with(b"THREAD")
            && !has(RENAMED)
            && !(word == b"THCState" || word == STREAM.as_bytes() || has(OF_ALLOCATOR))
    };
    let uses_state = doc.has_word(|word| word == b"THCState" || word == STREAM.as_bytes())
        || OF_ALLOCATOR
            .iter()
            .any(|(name, _)| doc.all(name).next().is_some());
    !doc.has_word(is_left) && (!uses_state || state(doc).is_some())
}

/// The headers of PyTorch that have what a file takes of THC.
fn needed(doc: &Document<'_>) -> Vec<&'static str> {
    let uses = |name: &str| doc.all(name).next().is_some();
    let mut needed = vec!["ATen/cuda/CUDAContext.h"];
    if uses("THCCeilDiv") {
        needed.push("ATen/ceil_div.h");
    }
    if OF_ALLOCATOR.iter().any(|(name, _)| uses(name)) {
        needed.push("c10/cuda/CUDACachingAllocator.h");
    }
    needed
}

/// The statement `THCState *state = …;` or `extern THCState *state;` of a file that uses the state for memory and streams alone.
fn state(doc: &Document<'_>) -> Option<std::ops::Range<TokenIndex>> {
    let mut types = doc.all("THCState");
    let first = types.next().filter(|_| types.next().is_none())?;
    let name = first + 2;
    let is_extern = doc.is_before(first, "extern") && doc.next_is(name, ";");
    let is_declared = is_extern || doc.next_is(name, "=");
    if !doc.is(first + 1, "*") || !doc.is_ident(name) || !is_declared {
        return None;
    }
    let start = first - usize::from(is_extern);
    let end = (name..doc.tokens.len()).find(|&at| doc.is(at, ";"))?;
    let is_known = |call: TokenIndex| {
        doc.is(call, STREAM) || OF_ALLOCATOR.iter().any(|(name, _)| doc.is(call, name))
    };
    let is_for_memory = |at: TokenIndex| {
        let call = at.checked_sub(2).filter(|_| doc.is_before(at, "("));
        call.is_some_and(is_known)
    };
    let mut uses = doc.occurrences(doc.bytes(name), 0..doc.tokens.len());
    uses.all(|at| at == name || is_for_memory(at))
        .then_some(start..end + 1)
}

/// Names that went with THC.
fn renamed(cx: &mut Context<'_, '_>) {
    if !cx.is_torch() {
        return;
    }
    let doc = cx.doc;
    let mut found = Vec::new();
    for (old, new) in RENAMED.iter().filter(|(old, _)| !is_own(doc, old)) {
        let is_call = |at: &TokenIndex| doc.next_is(*at, "(") && !doc.prev_is(*at, "::");
        for at in doc.all(old).filter(is_call) {
            let edits = vec![Edit::replace(cx.range(at), *new)];
            found.push((
                cx.range(at),
                format!("PyTorch has `{new}` for `{old}`"),
                edits,
            ));
        }
    }
    if let Some(statement) = state(doc).filter(|_| is_mended(doc)) {
        for (old, new) in OF_ALLOCATOR {
            for at in doc.all(old) {
                let call = doc.call(at).filter(|call| call.arguments.len() == 2);
                let Some(call) = call else { continue };
                let up_to = cx.range(call.arguments[1].start).start;
                let edit =
                    Edit::replace(TextRange::new(cx.range(at).start, up_to), format!("{new}("));
                found.push((
                    cx.range(at),
                    format!("PyTorch has `{new}` for `{old}`"),
                    vec![edit],
                ));
            }
        }
        for at in doc.all(STREAM) {
            let call = doc.call(at).filter(|call| call.arguments.len() == 1);
            let Some(call) = call else { continue };
            let range = doc.range(at, call.close);
            let new = "at::cuda::getCurrentCUDAStream()";
            let message = format!("PyTorch has `{new}` for `{STREAM}`");
            found.push((cx.range(at), message, vec![Edit::replace(range, new)]));
        }
        let statement = cx.doc.range(statement.start, statement.end - 1);
        let range = with_comment(cx, statement);
        let message = "PyTorch has no `THCState`".to_owned();
        found.push((range, message, vec![Edit::delete(line_of(cx, range))]));
    }
    for (range, message, edits) in found {
        let finding = RULE.finding(range, message).severity(Severity::Info);
        cx.report(finding.fix(Fix::review(edits)));
    }
}

/// Whether an expression is a name, its members and calls alone, which no sign beside it takes apart.
fn binds_as_one(doc: &Document<'_>, tokens: &std::ops::Range<TokenIndex>) -> bool {
    let mut at = tokens.start;
    while at < tokens.end {
        let is_part = doc.is_ident(at) || doc.tokens[at].kind == TokenKind::Number;
        let close = doc.matching_bracket(at).filter(|&close| close > at);
        match (
            close,
            is_part || matches!(doc.bytes(at), b"." | b"->" | b"::"),
        ) {
            (Some(close), _) => at = close + 1,
            (None, true) => at += 1,
            (None, false) => return false,
        }
    }
    true
}

/// The macros of PyTorch's own logging that compared two values, and how: `c10/util/Logging.h` of 2.11 has them behind `TORCH_` alone.
const COMPARED: &[(&str, &str)] = &[
    ("CHECK_EQ", "=="),
    ("CHECK_GE", ">="),
    ("CHECK_GT", ">"),
    ("CHECK_LE", "<="),
    ("CHECK_LT", "<"),
    ("CHECK_NE", "!="),
];

/// `CHECK_EQ(a, b);` of a file that includes nothing that could be the project's or glog's.
fn compared(cx: &mut Context<'_, '_>) {
    let path = |include: &Include| cx.text_of(include.path).into_owned();
    let mut includes = cx.doc.includes.iter();
    if !cx.is_torch() || includes.any(|it| !it.angled || path(it).starts_with("glog/")) {
        return;
    }
    let mut found = Vec::new();
    for (name, sign) in COMPARED.iter().filter(|(name, _)| !is_own(cx.doc, name)) {
        for at in cx.doc.all(name) {
            let call = cx.doc.call(at).filter(|it| it.arguments.len() == 2);
            let Some(call) = call.filter(|_| !cx.doc.prev_is(at, "::")) else {
                continue;
            };
            found.push(of_comparison(cx, at, &call, sign));
        }
    }
    found.into_iter().for_each(|finding| cx.report(finding));
}

/// The finding of a comparison. What is written behind it, `CHECK_EQ(a, b) << "text"`, a person has to move.
fn of_comparison(cx: &Context<'_, '_>, name: TokenIndex, call: &Call, sign: &str) -> Finding {
    let doc = cx.doc;
    let message = format!("PyTorch has no `{}` of its own any more", cx.text(name));
    let finding = RULE.finding(cx.range(name), message);
    if !doc.next_is(call.close, ";") {
        let help = format!("write TORCH_CHECK(a {sign} b, \"text\")");
        return finding.help(help);
    }
    let whole = |tokens: &std::ops::Range<TokenIndex>| doc.range(tokens.start, tokens.end - 1);
    let sides = call.arguments.iter().map(|it| {
        let text = cx.text_of(whole(it)).into_owned();
        match binds_as_one(doc, it) {
            true => text,
            false => format!("({text})"),
        }
    });
    let condition = sides.collect::<Vec<_>>().join(&format!(" {sign} "));
    let edits = vec![Edit::replace(
        doc.range(name, call.close),
        format!("TORCH_CHECK({condition})"),
    )];
    finding.severity(Severity::Info).fix(Fix::review(edits))
}

/// Whether a file defines a name of THC itself, as those do that took its functions over.
fn is_own(doc: &Document<'_>, name: &str) -> bool {
    let mut functions = doc.scopes().iter().filter_map(|function| function.name);
    functions.any(|it| doc.is(it, name)) || doc.macros_called(name.as_bytes()).next().is_some()
}

/// `AT_DISPATCH_FLOATING_TYPES(x.type(), …)`.
fn dispatches(cx: &mut Context<'_, '_>) {
    if !cx.is_torch() {
        return;
    }
    let macros = cx.doc.all_that(|word| word.starts_with(b"AT_DISPATCH_"));
    for name in macros {
        let Some(argument) = cx
            .doc
            .call(name)
            .and_then(|call| type_argument(cx.doc, &call))
        else {
            continue;
        };
        let tokens = argument.end - 4..argument.end;
        let words: Vec<&[u8]> = tokens.clone().map(|at| cx.doc.bytes(at)).collect();
        if let [b"." | b"->", b"type", b"(", b")"] = words[..] {
            let range = cx.range(tokens.start + 1);
            let finding = RULE.finding(
                range,
                "PyTorch dispatches on `scalar_type()`; `type()` no longer converts to one",
            );
            cx.report(
                finding
                    .severity(Severity::Info)
                    .fix(Fix::safe(vec![Edit::replace(range, "scalar_type")])),
            );
        }
    }
}

/// The argument that says the type: the first one that ends in a call without arguments.
fn type_argument(doc: &Document<'_>, call: &Call) -> Option<std::ops::Range<TokenIndex>> {
    let ends_in_call = |tokens: &&std::ops::Range<TokenIndex>| {
        tokens.len() >= 5 && doc.is(tokens.end - 1, ")") && doc.is(tokens.end - 2, "(")
    };
    call.arguments.iter().find(ends_in_call).cloned()
}
