//! What a script or a Makefile tells cmake about CUDA.
//!
//! ## Why on AMD
//! `cmake -DCMAKE_CUDA_COMPILER=…` chooses a compiler for a language that the list no longer has: CMake finds HIP's by itself. Folders
//! of the toolkit mean nothing to ROCm's packages. Chips are named by CMAKE_HIP_ARCHITECTURES.
//!
//! ## Example
//! ```make
//! build:
//!     cmake -S . -B build -DCMAKE_CUDA_COMPILER=nvcc -DCMAKE_CUDA_FLAGS=-O3
//! ```
//! becomes
//! ```make
//! build:
//!     cmake -S . -B build -DCMAKE_HIP_FLAGS=-O3
//! ```
//!
//! ## When to ignore
//! In scripts for NVIDIA's machines alone.
//!
//! ## Source
//! CMake 3.21, `CMAKE_HIP_*`; `mappings/build.toml` has the list.

use crate::build::words::{argument, deletion, fix, is_in_prose, line_of, words};
use crate::mapping::BuildTable;
use crate::rules::prelude::*;

/// Writes the variables of the language HIP.
pub static RULE: Rule = Rule {
    code: "CASS636",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    // Before the rules that would rewrite what the variable is set to.
    priority: 40,
    facts: &[],
    checks: &[Check::BuildFile(check)],
};

/// Variables that have no effect on HIP.
const WITHOUT_EFFECT: &[&str] = &[
    "CMAKE_CUDA_COMPILER",
    "CMAKE_CUDA_HOST_COMPILER",
    "CUDA_HOST_COMPILER",
    "CUDA_TOOLKIT_ROOT_DIR",
    "CUDAToolkit_ROOT",
    "CUDA_NVCC_EXECUTABLE",
    "CMAKE_CUDA_RUNTIME_LIBRARY",
];

fn check(cx: &mut BuildContext<'_, '_>) {
    if !matches!(cx.doc.tool, BuildTool::Make | BuildTool::Shell) {
        return;
    }
    let told: Vec<TokenIndex> = words(cx.doc)
        .filter(|&at| cx.doc.bytes(at).starts_with(b"-DC") && is_for_cmake(cx.doc, at))
        .filter(|&at| cx.doc.is(at + 1, "=") && !is_in_prose(cx.doc, at))
        .collect();
    for at in told {
        if let Some(finding) = finding(cx, at) {
            cx.report(finding);
        }
    }
}

/// Whether the command is cmake's.
fn is_for_cmake(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let is_cmake = |at: TokenIndex| {
        let word = doc.bytes(at).to_ascii_lowercase();
        word.ends_with(b"cmake") || word.ends_with(b"cmake3")
    };
    (line_of(doc, at)..at).any(is_cmake)
}

fn finding(cx: &BuildContext<'_, '_>, at: TokenIndex) -> Option<Finding> {
    let word = cx.text(at).into_owned();
    let name = word.strip_prefix("-D")?;
    let last = argument(cx.doc, at).map_or(at + 1, |value| value.end - 1);
    let whole = cx.doc.range(at, last);
    if WITHOUT_EFFECT.contains(&name) {
        let message = format!("`{name}` has no effect on the language HIP");
        let edit = deletion(cx.doc, whole);
        return Some(mended(cx, whole, message, edit, "leave it out"));
    }
    if name == "CMAKE_CUDA_ARCHITECTURES" {
        return Some(architectures(cx, whole));
    }
    let (entry, becomes) = BuildTable::builtin().cmake(name)?;
    let becomes = becomes.filter(|becomes| becomes.starts_with("CMAKE_HIP"));
    let range = cx.range(at);
    let Some(becomes) = becomes else {
        let message = format!("`{name}` has no effect on the language HIP");
        return Some(RULE.finding(range, message).help(entry.advice.as_str()));
    };
    let message = format!("`{name}` becomes `{becomes}`");
    let edit = Edit::replace(range, format!("-D{becomes}"));
    Some(mended(cx, range, message, edit, "write HIP's variable"))
}

fn mended(
    cx: &BuildContext<'_, '_>,
    range: TextRange,
    message: String,
    edit: Edit,
    help: &'static str,
) -> Finding {
    let finding = RULE.finding(range, message).help(help);
    match fix(cx.doc, Applicability::Safe, vec![edit]) {
        Some(fix) => finding.fix(fix).severity(Severity::Info),
        None => finding,
    }
}

/// The chips of `--target`; of several the list needs quotes of its own, which a script may have used already.
fn architectures(cx: &BuildContext<'_, '_>, whole: TextRange) -> Finding {
    let message = "`CMAKE_CUDA_ARCHITECTURES` names NVIDIA architectures".to_owned();
    let help = "set CMAKE_HIP_ARCHITECTURES to the chips you build for, as gfx90a;gfx942";
    match cx.options().targets.as_slice() {
        [chip] => {
            let edit = Edit::replace(whole, format!("-DCMAKE_HIP_ARCHITECTURES={chip}"));
            mended(cx, whole, message, edit, help)
        }
        _ => RULE.finding(whole, message).help(help),
    }
}
