//! A header of CUDA and what to include instead.
//!
//! ## Why on AMD
//! ROCm's headers have their own paths; several of CUDA's have one common counterpart, and some need none.
//!
//! ## Example
//! ```cuda
//! #include <cuda_runtime.h>
//! #include <cublas_v2.h>
//! #include <device_launch_parameters.h>
//! ```
//! becomes
//! ```hip
//! #include <hip/hip_runtime.h>
//! #include <hipblas/hipblas.h>
//! ```
//!
//! `<cublasLt.h>` and the headers of cuSOLVER bring that of cuBLAS; AMD's do not, so that it is included where a file names something of it.
//!
//! A question for such a header, `__has_include(<cub/cub.cuh>)`, asks for AMD's: where CUDA is not installed the answer would be no, and what
//! the project does then is silent.
//!
//! So does a macro that stands for the path: `#define GPU_HEADER <cuda_runtime.h>`.
//!
//! A header of libcu++, `<cuda/pipeline>`, goes where neither the file nor a unit that comes to it says `cuda::`; where what they say is `std`'s
//! as well, its header takes the place of one such as `<cuda/std/type_traits>`.
//!
//! `<mma.h>` becomes `<hip/hip_fp16.h>`, which it brings as well, where neither says `nvcuda` or `wmma`: rocWMMA is a package of its own.
//!
//! A header of PyTorch's own stays for PyTorch's build, which renames it; where another build compiles the file, the finding says how PyTorch
//! for ROCm calls it.
//!
//! So goes a header of NPP where nobody says a name of it. In a header that only declares functions of NPP's types, both are hidden from AMD:
//! whoever includes it for something else compiles.
//!
//! ## When to ignore
//! When a project ships a header of that name itself; one that is found in the tree is left alone without being asked. A copy of CUB,
//! Thrust or CUTLASS among what a project took from others (`3rdparty/cub`) is none of its own: it stays for NVIDIA, and what is included
//! from it comes from AMD's library.
//!
//! ## Source
//! The include folders of ROCm 6.4, listed in `mappings/headers.toml`.

use crate::analysis::brought_headers::brought;
use crate::analysis::header_target::header_target;
use crate::analysis::include_place::is_in_statement;
use crate::analysis::whole_declarations::declarations_of;
use crate::cpp::deletion::include_line;
use crate::cpp::functions::named_function;
use crate::cpp::libcu::standard_header;
use crate::cpp::names::NPP;
use crate::mapping::{TorchTable, name_lists};
use crate::rules::prelude::*;

/// Rewrites, drops or reports includes of CUDA's headers.
pub static RULE: Rule = Rule {
    code: "CASS008",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[Fact::Reversible, Fact::DoneByShim],
    checks: &[
        Check::Include(check),
        Check::Idents(&["__has_include"], check_question),
        Check::Source(check_callers),
        Check::Source(check_macros),
    ],
};

const NEWER: &str = "build with a ROCm release that has it (and say so with `--rocm`), or leave out what it declares";

/// Of a header of PyTorch's in what no `setup.py` of PyTorch's builds.
const RENAMES_NOTHING: &str = "this build renames nothing: include that header (up to PyTorch 2.9 its names are in `c10::hip` and `at::hip`), or pass the sources through `torch.utils.hipify` before they are compiled";

const COPIED: &str = "the copy stays for NVIDIA, and AMD's library has no such header: include the rocPRIM or hipCUB header that declares the names you use";

fn check(include: &Include, cx: &mut Context<'_, '_>) {
    let path = cx.text_of(include.path).replace('\\', "/");
    let found = cx.table().header(path.as_bytes());
    let found = found.or_else(|| bare_header(cx, &path));
    let name = installed(cx, &path);
    let in_copy = || name.and_then(|name| cx.table().header(name.as_bytes()));
    let Some(hit) = found.or_else(in_copy) else {
        if name.is_some() {
            let message = format!("`{path}` comes from a bundled copy of an NVIDIA library");
            let finding = RULE.finding(include.directive, message);
            cx.report(finding.severity(Severity::Error).help(COPIED));
        }
        return;
    };
    let is_for_torch = cx.is_torch() && TorchTable::builtin().converts_include(&path);
    if is_for_torch
        || is_projects_own(cx, include.angled, &path, hit.entry)
        || crate::analysis::helpers::header_for(cx, include).is_some()
    {
        return;
    }
    let api = cx.api_use(hit.entry, hit.entry.hip);
    if let Some(mut finding) = finding(cx, include, &path, hit.entry) {
        let brought = brought(cx, &path).into_iter();
        let brought = brought.filter_map(|header| cx.table().header(header.as_bytes()));
        let targets = brought.filter_map(|hit| header_target(cx.options(), hit.entry));
        finding.headers.extend(targets);
        cx.report(finding.api(api));
    }
}

/// `__has_include(<cub/cub.cuh>)`: whether ROCm has the header that it becomes.
fn check_question(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let Some(close) = doc
        .matching_bracket(index + 1)
        .filter(|&close| close > index + 2)
    else {
        return;
    };
    let written = cx.doc.range(index + 2, close - 1);
    let Some((hit, is_angled)) = written_header(cx, written) else {
        return;
    };
    if let Some((target, text)) = written_target(cx, hit.entry, is_angled) {
        let path = hit.entry.cuda;
        let message = format!("`{path}` becomes `{target}` in the question for it");
        let edit = Edit::replace(written, text);
        cx.report(RULE.finding(written, message).fix(Fix::safe(vec![edit])));
    }
}

/// A macro that stands for the path of an include: `#define GPU_HEADER <cuda_runtime.h>`. A string may be for something else than an include.
fn check_macros(cx: &mut Context<'_, '_>) {
    let is_included = |name: TokenIndex| {
        let mut uses = cx
            .doc
            .occurrences(cx.doc.bytes(name), 0..cx.doc.tokens.len());
        uses.any(|at| cx.doc.is_before(at, "include"))
    };
    let mut found = Vec::new();
    for (name, directive) in cx.doc.macros() {
        let (first, last) = (name + 1, directive.tokens.end);
        if first >= last || !matches!(cx.doc.bytes(first).first(), Some(b'<' | b'"')) {
            continue;
        }
        let written = cx.doc.range(first, last - 1);
        if let Some((hit, is_angled)) = written_header(cx, written)
            && (is_angled || is_included(name))
        {
            found.push((written, hit.entry, is_angled));
        }
    }
    for (written, entry, is_angled) in found {
        let path = entry.cuda;
        let finding = match written_target(cx, entry, is_angled) {
            Some((target, text)) => RULE
                .finding(written, format!("`{path}` becomes `{target}`"))
                .fix(Fix::safe(vec![Edit::replace(written, text)])),
            None if header_target(cx.options(), entry).is_some() => continue,
            None => RULE
                .finding(written, format!("`{path}` has no counterpart on AMD"))
                .severity(Severity::Error)
                .help(entry.note.unwrap_or_default()),
        };
        let api = cx.api_use(entry, entry.hip);
        cx.report(finding.api(api));
    }
}

/// The header of CUDA that some text names as an include does, with whether in angle brackets, where it is this program's to change.
fn written_header<'d>(cx: &Context<'d, '_>, written: TextRange) -> Option<(Hit<'d>, bool)> {
    let text = cx.doc.source.text(written);
    let within = |open: char, close: char| text.strip_prefix(open)?.strip_suffix(close);
    let angled = within('<', '>');
    let path = angled.or_else(|| within('"', '"'))?;
    let hit = cx.table().header(path.as_bytes())?;
    let is_for_torch = cx.is_torch() && TorchTable::builtin().converts_include(path);
    let is_left = cx.doc.vendor_at(written.start) != Vendor::Any
        || cx.is_inactive(written.start)
        || is_for_torch
        || is_projects_own(cx, angled.is_some(), path, hit.entry);
    (!is_left).then_some((hit, angled.is_some()))
}

/// The header of AMD's that takes the place of one, and how it is written, where that is another one.
fn written_target<'d>(
    cx: &Context<'d, '_>,
    entry: &'d ApiEntry,
    is_angled: bool,
) -> Option<(&'d str, String)> {
    let target = header_target(cx.options(), entry)?;
    let is_there = newer_release(cx, entry, target).is_none();
    // What needs no header on AMD is there with the runtime.
    let target = match target {
        "" => "hip/hip_runtime.h",
        _ => target,
    };
    let text = match is_angled {
        true => format!("<{target}>"),
        false => format!("\"{target}\""),
    };
    (is_there && target != entry.cuda).then_some((target, text))
}

/// What becomes of an include of one of CUDA's headers; none where it stays as it is for good.
fn finding(
    cx: &Context<'_, '_>,
    include: &Include,
    path: &str,
    entry: &ApiEntry,
) -> Option<Finding> {
    let note = entry.note.unwrap_or_default();
    let error = |message: String| {
        let finding = RULE.finding(include.directive, message);
        finding.severity(Severity::Error)
    };
    if let Some(header) = standard_header(path).filter(|_| !cx.needs_libcu()) {
        let (message, edit) = change(cx, include, path, header);
        let finding = RULE.finding(include.directive, message);
        return Some(finding.fix(Fix::safe(vec![edit])));
    }
    if is_of_libcu(path) && !cx.needs_libcu() {
        let message = format!("`{path}` is not needed: nothing that it has alone is named");
        let edit = Edit::delete(include_line(cx.doc, include));
        return Some(
            RULE.finding(include.directive, message)
                .fix(Fix::safe(vec![edit])),
        );
    }
    if is_of_wmma(path) && !cx.project.needs_wmma(cx.doc) {
        let (_, edit) = change(cx, include, path, HALVES);
        let message =
            format!("`{path}` is not needed for matrix units: nothing of `nvcuda` is named");
        return Some(
            RULE.finding(include.directive, message)
                .fix(Fix::safe(vec![edit])),
        );
    }
    let Some(target) = header_target(cx.options(), entry) else {
        if is_of_npp(path)
            && let Some(finding) = without_npp(cx, include, path)
        {
            return Some(finding.help(note));
        }
        if let Some((message, edit)) = without_lone_header(cx, include, path) {
            let finding = RULE.finding(include.directive, message);
            return Some(finding.fix(Fix::safe(vec![edit])));
        }
        if let Some(own) = TorchTable::builtin().own_header(path) {
            let finding = error(format!("PyTorch for ROCm has `{path}` as `{own}`"));
            return Some(finding.help(RENAMES_NOTHING));
        }
        let finding = error(format!("`{path}` has no counterpart on AMD"));
        return Some(finding.help(note));
    };
    if let Some(need) = newer_release(cx, entry, target) {
        let finding = error(format!("`{path}` becomes `{target}`, which {need}"));
        return Some(finding.help(if note.is_empty() { NEWER } else { note }));
    }
    let is_full = entry.support == Support::Full;
    if target == path && is_full {
        return None;
    }
    let (message, edit) = change(cx, include, path, target);
    let severity = if is_full {
        Severity::Info
    } else {
        Severity::Warning
    };
    let finding = RULE
        .finding(include.directive, message)
        .severity(severity)
        .help(note);
    Some(match (target == path, is_full) {
        (true, _) => finding,
        (false, true) => finding.fix(Fix::safe(vec![edit])),
        (false, false) => finding.fix(Fix::review(vec![edit])),
    })
}

/// What else a header of matrix units brings.
const HALVES: &str = "hip/hip_fp16.h";

/// The headers of matrix units, whose counterpart is rocWMMA: a package of its own, which has nothing for RDNA 1 and 2.
fn is_of_wmma(path: &str) -> bool {
    matches!(path, "mma.h" | "crt/mma.h" | "crt/mma.hpp")
}

/// Whether all that a header brings is in `cuda::`: those of the C library, `<cuda/std/cassert>`, have macros and global names.
fn is_of_libcu(path: &str) -> bool {
    path.starts_with("cuda/") && !path.starts_with("cuda/std/c")
}

fn is_of_npp(path: &str) -> bool {
    path.starts_with("npp") && path.ends_with(".h")
}

/// A header of NPP that nobody needs goes; one of a header that only declares functions of NPP's types goes with these from AMD, so that
/// everybody else can include that. None where it is needed otherwise.
fn without_npp(cx: &Context<'_, '_>, include: &Include, path: &str) -> Option<Finding> {
    let line = include_line(cx.doc, include);
    let is_of_npp = |word: &[u8]| {
        let hit = cx.table().get_or_pattern(word);
        hit.is_some_and(|hit| hit.entry.library == NPP)
    };
    if !cx.doc.has_word(is_of_npp) && !cx.project.needs_npp(cx.doc) {
        let message = format!("`{path}` is not needed: nothing of NPP is named");
        let fix = Fix::safe(vec![Edit::delete(line)]);
        return Some(RULE.finding(include.directive, message).fix(fix));
    }
    let mut hidden =
        declarations_of(cx, &is_of_npp).filter(|it| !it.is_empty() && !cx.is_torch())?;
    hidden.push((line.start, line.end));
    hidden.sort_unstable();
    hidden.dedup_by(|next, last| {
        let goes_on = next.0 == last.1;
        last.1 = if goes_on { next.1 } else { last.1 };
        goes_on
    });
    let hide = |(start, end)| {
        [
            Edit::insert(start, "#ifndef __HIP_PLATFORM_AMD__ // AMD has no NPP\n"),
            Edit::insert(end, "#endif\n"),
        ]
    };
    let edits = hidden.into_iter().flat_map(hide).collect();
    let message =
        format!("`{path}` has no counterpart on AMD: it is hidden with what is declared by it");
    let finding = RULE.finding(include.directive, message);
    Some(finding.severity(Severity::Warning).fix(Fix::review(edits)))
}

/// What is said of a header without a counterpart that nobody needs, and the edit by which it goes or becomes what else it brings. None
/// where something of it is named.
fn without_lone_header(
    cx: &Context<'_, '_>,
    include: &Include,
    path: &str,
) -> Option<(String, Edit)> {
    let mut rows = name_lists().lone_headers.iter().enumerate();
    let (row, header) = rows.find(|(_, it)| it.header == path)?;
    if cx.project.needs_lone_header(cx.doc, row) {
        return None;
    }
    let brought = header.brings.as_ref();
    let brought = brought.and_then(|it| cx.table().header(it.as_bytes()));
    let target = brought.and_then(|hit| header_target(cx.options(), hit.entry));
    let (_, edit) = change(cx, include, path, target.unwrap_or_default());
    let message = format!("`{path}` is not needed: nothing that it has alone is named");
    Some((message, edit))
}

/// A call of a function that is declared with NPP's types: what declares it is hidden from AMD, or stays for a person.
fn check_callers(cx: &mut Context<'_, '_>) {
    let over = cx.project.names().over_npp();
    if over.is_empty() || cx.is_torch() {
        return;
    }
    let doc = cx.doc;
    let is_call = |&at: &TokenIndex| {
        let start = doc.tokens[at].start;
        let is_seen = doc.vendor_at(start) == Vendor::Any
            && !cx.is_inactive(start)
            && !cx.is_not_meant(start);
        let within = named_function(doc, at).and_then(|function| function.name);
        let is_hidden = within.is_some_and(|name| over.contains(doc.bytes(name)));
        let is_known = cx.table().get_or_pattern(doc.bytes(at)).is_some();
        is_seen && within.is_some() && !is_hidden && !is_known && doc.call(at).is_some()
    };
    let calls = doc.all_that(|word| over.contains(word));
    let calls: Vec<TokenIndex> = calls.into_iter().filter(is_call).collect();
    for at in calls {
        let message = format!(
            "`{}` is declared with types of NPP, which AMD has not",
            cx.text(at)
        );
        let finding = RULE
            .finding(cx.range(at), message)
            .severity(Severity::Warning);
        cx.report(
            finding.help("keep the call from AMD as well, or give it a function without NPP there"),
        );
    }
}

/// What is said of an include that has a target, and the edit that makes it so.
fn change(cx: &Context<'_, '_>, include: &Include, path: &str, target: &str) -> (String, Edit) {
    if target.is_empty() || is_repeated(cx, include, target) {
        return (
            format!("`{path}` is not needed"),
            Edit::delete(include_line(cx.doc, include)),
        );
    }
    let message = if path == target {
        format!("`{path}` is a header of another library on AMD")
    } else {
        format!("`{path}` becomes `{target}`")
    };
    let edit = Edit::replace(cx.range(include.token), quoted(target, include));
    (message, edit)
}

/// What the header needs, if the chosen ROCm lacks it. Figures are about the portable library's header.
fn newer_release(cx: &Context<'_, '_>, entry: &ApiEntry, target: &str) -> Option<String> {
    let (rocm, since) = (cx.options().rocm, entry.rocm.since?);
    let lacks = entry.hip == Some(target) && rocm < since;
    lacks.then(|| format!("needs ROCm {since}; the target is ROCm {rocm}"))
}

/// `"/usr/local/cuda/include/cublas.h"`, `<include/cuda.h>`: the toolkit's folder in front of one of its headers.
fn bare_header<'d>(cx: &Context<'d, '_>, path: &str) -> Option<Hit<'d>> {
    let (folder, _) = path.rsplit_once("include/")?;
    let toolkit = folder.is_empty() || folder.to_ascii_lowercase().contains("cuda");
    toolkit
        .then(|| path.rsplit("include/").next())
        .flatten()
        .and_then(|name| cx.table().header(name.as_bytes()))
}

/// How the library is included whose copy `"../3rdparty/cub/cub.cuh"` is a header of.
fn installed<'d>(cx: &Context<'d, '_>, path: &str) -> Option<&'d str> {
    let found = cx.project.paths.resolve(&cx.doc.source.path, path)?;
    cx.project.copies().installed(found)
}

/// A header of the tree itself, other than of a copy of NVIDIA's libraries, which only its build takes. For headers that ROCm covers, only a quoted path that resolves exactly counts: `<cuda.h>` is CUDA's; a wrapper of cuDNN's header is not what `<cudnn.h>` means.
fn is_projects_own(cx: &Context<'_, '_>, angled: bool, path: &str, entry: &ApiEntry) -> bool {
    let (project, from) = (cx.project, &cx.doc.source.path);
    let is_covered = entry.hip.is_some() && entry.support == Support::Full;
    let found = if is_covered {
        project.paths.resolve_covered(from, path, angled)
    } else {
        let written = project.resolve_library(from, path, angled);
        written.or_else(|| project.resolve_template(from, path))
    };
    found.is_some_and(|found| !project.copies().hold(found))
}

/// Whether an include in front of this one, which everyone here has seen, brings the same header.
fn is_repeated(cx: &Context<'_, '_>, include: &Include, target: &str) -> bool {
    // In the middle of a statement its place is what keeps other rules from reading the statement; what stands behind it on its line
    // must not go with it.
    let has_more = cx.range(include.token).end < include.directive.end;
    if has_more || is_in_statement(cx.doc, include) {
        return false;
    }
    // CUDA's own name of it, which PyTorch's build turns into this one.
    let renamed = TorchTable::builtin().header_for_both(target);
    let renamed = renamed.filter(|_| cx.is_torch());
    cx.doc.includes_read_before(include).any(|other| {
        let path = cx.text_of(other.path);
        let becomes = cx
            .table()
            .header(path.as_bytes())
            .filter(|hit| !is_projects_own(cx, other.angled, &path, hit.entry))
            .and_then(|hit| header_target(cx.options(), hit.entry));
        let becomes = becomes.unwrap_or(&path);
        becomes == target || renamed == Some(becomes)
    })
}

/// System headers of ROCm are found on the include path whatever the quotes; the project's choice of quotes stays.
fn quoted(target: &str, include: &Include) -> String {
    if include.angled {
        format!("<{target}>")
    } else {
        format!("\"{target}\"")
    }
}
