//! A file that PyTorch's build for ROCm leaves as it is, or where it is while it moves those that include it.
//!
//! ## Why on AMD
//! For ROCm PyTorch writes each source to a folder of another name where one above it is called `cuda`, and takes along what
//! `#include "x"` names, with exactly one blank, if it ends in .cu, .cuh, .c, .cc, .cpp, .h or .hpp. What is included otherwise, or is
//! called `x.inl`, stays behind and is not found from the new folder. Where nothing moves it is found, and its names of CUDA stay. So do
//! those of a program beside the extension, a benchmark or a test with `main`, which no script lists.
//!
//! ## Example
//! ```cuda
//! #include  "kernels.cuh"
//! ```
//! becomes
//! ```hip
//! #include "kernels.cuh"
//! ```
//! Of its own headers below `ATen/cuda/` and the like it reads `#include <x>` in the same way.
//!
//! ## When to ignore
//! When the folder of the file is among `include_dirs`.
//!
//! ## Source
//! `get_hip_file_path` and `RE_QUOTE_HEADER` in `torch/utils/hipify/hipify_python.py` of PyTorch 2.11.

use crate::analysis::moved_by_torch::{first_renamed, moves, reads};
use crate::rules::prelude::*;

/// Writes includes as PyTorch's build reads them; reports files that it does not take along.
pub static RULE: Rule = Rule {
    code: "CASS647",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[
        Check::Include(check),
        Check::Source(check_unread),
        Check::Source(check_program),
    ],
};

fn check(include: &Include, cx: &mut Context<'_, '_>) {
    if !cx.is_torch() {
        return;
    }
    let path = cx.text_of(include.path).into_owned();
    if include.angled && is_torchs_own(&path) {
        return one_blank(include, cx, "#include <");
    }
    if include.angled || !moves(&cx.doc.source.path) {
        return;
    }
    if cx
        .project
        .paths
        .resolve(&cx.doc.source.path, &path)
        .is_none()
    {
        return;
    }
    if !reads(&path) {
        let message =
            format!("PyTorch's build for ROCm moves this file and leaves `{path}` behind");
        return cx.report(
            RULE.finding(include.directive, message)
                .help(renamed(&path, cx)),
        );
    }
    one_blank(include, cx, "#include \"");
}

/// A file that sources include and PyTorch's build does not read.
fn check_unread(cx: &mut Context<'_, '_>) {
    let path = cx.doc.source.path.clone();
    let is_unread = cx.is_torch() && !reads(&path) && !moves(&path);
    if !is_unread || !cx.project.is_included_by_torch(&path) {
        return;
    }
    let Some(range) = first_renamed(cx) else {
        return;
    };
    let name = path.rsplit('/').next().unwrap_or(&path);
    let message =
        format!("PyTorch's build for ROCm renames nothing in {name}, which it does not read");
    let finding = RULE.finding(range, message).severity(Severity::Error);
    cx.report(finding.help(format!(
        "call it {}.cuh, also where it is included",
        stem_of(name)
    )));
}

/// A program with kernels of its own beside an extension: no script hands it to PyTorch's build, so that nothing renames what it says.
fn check_program(cx: &mut Context<'_, '_>) {
    let path = &cx.doc.source.path;
    let asks_for_amd = |word: &[u8]| {
        matches!(
            word,
            b"USE_ROCM" | b"__HIPCC__" | b"__HIP__" | b"__HIP_PLATFORM_AMD__"
        )
    };
    let is_left = cx.is_torch() && cx.project.is_program_beside_torch(path);
    if !is_left || cx.doc.has_word(asks_for_amd) {
        return;
    }
    let Some(range) = first_renamed(cx) else {
        return;
    };
    let name = path.rsplit('/').next().unwrap_or(path);
    let message = format!(
        "{name} is a program of its own, which no script hands to PyTorch's build: its names of CUDA stay"
    );
    let help = "`--dialect cuda` for its path translates it; headers that it shares with the extension stay CUDA's, so let it include copies of them";
    cx.report(RULE.finding(range, message).help(help));
}

/// What to write for a file that stays behind: the name that it needs, where no other file has it.
fn renamed(path: &str, cx: &Context<'_, '_>) -> String {
    let stem = stem_of(path);
    let is_free = |new: &String| {
        let paths = &cx.project.paths;
        paths.resolve(&cx.doc.source.path, new).is_none()
    };
    let mut names = [".cuh", ".h", "_inl.cuh"]
        .iter()
        .map(|it| format!("{stem}{it}"));
    let Some(new) = names.find(is_free) else {
        return "name its folder in include_dirs".to_owned();
    };
    let file = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    format!(
        "rename {} to {} and write `#include \"{new}\"`, or name its folder in include_dirs",
        file(path),
        file(&new)
    )
}

fn stem_of(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

/// Writes what stands in front of a path as PyTorch looks for it.
fn one_blank(include: &Include, cx: &mut Context<'_, '_>, wanted: &'static str) {
    let before = TextRange::new(include.directive.start, include.path.start);
    if cx.text_of(before) == wanted {
        return;
    }
    let message = match wanted.ends_with('<') {
        true => "PyTorch's build for ROCm reads `#include <x>` with exactly one space",
        false => "PyTorch's build for ROCm reads `#include \"x\"` with exactly one space",
    };
    let finding = RULE
        .finding(include.directive, message)
        .severity(Severity::Info);
    cx.report(finding.fix(Fix::safe(vec![Edit::replace(before, wanted)])));
}

/// Whether a header of PyTorch's is found on AMD only where its build has rewritten the include.
fn is_torchs_own(path: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "ATen/cuda",
        "ATen/native/cuda",
        "ATen/native/nested/cuda",
        "ATen/native/quantized/cuda",
        "ATen/native/sparse/cuda",
        "ATen/native/transformers/cuda",
        "THC/",
    ];
    FOLDERS.iter().any(|folder| path.starts_with(folder))
}
