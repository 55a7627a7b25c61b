//! A variable, property or command of CMake that is about CUDA.
//!
//! ## Why on AMD
//! `CMAKE_CUDA_FLAGS`, `CUDA_STANDARD`, `CUDAToolkit_INCLUDE_DIRS`, `cuda_add_executable` and their kin mean nothing to the language HIP,
//! which has words of its own for most of them. `mappings/build.toml` has the list. The architectures follow `--target`.
//!
//! ## Example
//! ```cmake
//! set(CMAKE_CUDA_STANDARD 17)
//! ```
//! becomes
//! ```cmake
//! set(CMAKE_HIP_STANDARD 17)
//! ```
//!
//! ## When to ignore
//! In branches for builds that stay on NVIDIA.
//!
//! ## Source
//! CMake 3.21, `CMAKE_HIP_*` and `HIP_ARCHITECTURES`; `hip-config.cmake` of ROCm 6.4.

use crate::cpp::build_file::{is_in_prose, tool, words};
use crate::mapping::BuildTable;
use crate::rules::prelude::*;

/// Writes the words of the language HIP.
pub static RULE: Rule = Rule {
    code: "CASS628",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    triggers: &[Trigger::BuildFile],
    check,
};

fn check(_: At<'_>, cx: &mut Context<'_, '_>) {
    if tool(cx.doc) != BuildTool::CMake {
        return;
    }
    let found: Vec<TokenIndex> = words(cx.doc)
        .filter(|&at| !is_in_prose(cx.doc, at))
        .collect();
    for index in found {
        let finding = architectures(cx, index).or_else(|| by_table(cx, index));
        if let Some(finding) = finding {
            cx.report(finding);
        }
    }
}

/// What the table says of a word.
fn by_table(cx: &Context<'_, '_>, index: TokenIndex) -> Option<Finding> {
    let word = cx.text(index).into_owned();
    let (entry, becomes) = BuildTable::builtin().cmake(&word)?;
    let range = cx.range(index);
    let Some(becomes) = becomes else {
        let message = format!("`{word}` has no effect on the HIP language");
        return Some(RULE.finding(range, message).help(entry.advice.as_str()));
    };
    let message = format!("`{word}` becomes `{becomes}`");
    let edits = vec![Edit::replace(range, becomes)];
    let finding = RULE.finding(range, message).help(entry.review.as_str());
    Some(if entry.review.is_empty() {
        finding.fix(Fix::safe(edits)).severity(Severity::Info)
    } else {
        finding.fix(Fix::review(edits))
    })
}

/// `set(CMAKE_CUDA_ARCHITECTURES 70 80)` where it is known for which chips to build.
fn architectures(cx: &Context<'_, '_>, index: TokenIndex) -> Option<Finding> {
    let word = cx.text(index).into_owned();
    let name = match word.as_str() {
        "CMAKE_CUDA_ARCHITECTURES" => "CMAKE_HIP_ARCHITECTURES",
        "CUDA_ARCHITECTURES" => "HIP_ARCHITECTURES",
        _ => return None,
    };
    let is_chip = |at: &TokenIndex| {
        let text = cx.doc.bytes(*at);
        text.first().is_some_and(u8::is_ascii_digit)
            || matches!(text, b";" | b"\"" | b"native" | b"all" | b"all-major")
    };
    let last = (index + 1..cx.doc.tokens.len())
        .take_while(is_chip)
        .last()?;
    let targets = &cx.options().targets;
    if targets.is_empty() {
        return None;
    }
    // A property has one value, which is a list.
    let is_quoted = cx.doc.is(index + 1, "\"") || word == "CUDA_ARCHITECTURES" && targets.len() > 1;
    let chips = if is_quoted {
        format!("\"{}\"", targets.join(";"))
    } else {
        targets.join(" ")
    };
    let range = cx.doc.range(index, last);
    let edit = Edit::replace(range, format!("{name} {chips}"));
    let finding = RULE.finding(
        range,
        format!("`{word}` becomes `{name}`, for the chips of --target"),
    );
    Some(finding.fix(Fix::safe(vec![edit])).severity(Severity::Info))
}
