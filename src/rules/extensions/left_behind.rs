//! A file that PyTorch's build for ROCm leaves where it is, while it moves those that include it.
//!
//! ## Why on AMD
//! For ROCm PyTorch writes each source to a folder of another name where one above it is called `cuda`, and takes along what
//! `#include "x"` names, with exactly one blank, if it ends in .cu, .cuh, .c, .cc, .cpp, .h or .hpp. What is included otherwise, or is
//! called `x.inl`, stays behind and is not found from the new folder.
//!
//! ## Example
//! ```cuda
//! #include  "kernels.cuh"
//! ```
//! becomes
//! ```hip
//! #include "kernels.cuh"
//! ```
//!
//! ## When to ignore
//! When the folder of the file is among `include_dirs`.
//!
//! ## Source
//! `get_hip_file_path` and `RE_QUOTE_HEADER` in `torch/utils/hipify/hipify_python.py` of PyTorch 2.11.

use crate::rules::prelude::*;

/// Writes includes as PyTorch's build reads them; reports files that it does not take along.
pub static RULE: Rule = Rule {
    code: "CASS647",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Include(check)],
};

/// What PyTorch takes along.
const TAKEN: &[&str] = &["cu", "cuh", "c", "cc", "cpp", "h", "hpp"];

fn check(include: &Include, cx: &mut Context<'_, '_>) {
    if !cx.is_torch() || include.angled || !moves(&cx.doc.source.path) {
        return;
    }
    let path = cx.text_of(include.path).into_owned();
    if cx.project.resolve(&cx.doc.source.path, &path).is_none() {
        return;
    }
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    if !TAKEN.contains(&extension) {
        let message =
            format!("PyTorch's build for ROCm moves this file and leaves `{path}` behind");
        let help = "give the file the extension .cuh or .h, or name its folder in include_dirs";
        return cx.report(RULE.finding(include.directive, message).help(help));
    }
    let start = include.directive.start;
    let written = cx
        .text_of(TextRange::new(start, include.path.start))
        .into_owned();
    if written != "#include \"" {
        let edit = Edit::replace(TextRange::new(start, include.path.start), "#include \"");
        let finding = RULE.finding(
            include.directive,
            "PyTorch's build for ROCm reads `#include \"x\"` with exactly one space",
        );
        cx.report(finding.severity(Severity::Info).fix(Fix::safe(vec![edit])));
    }
}

/// Whether a file goes to a folder of another name.
fn moves(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    folders.contains("cuda") || folders.contains("CUDA")
}
