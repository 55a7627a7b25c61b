//! A header, a name or a program of CUDA that a CMake list looks for when it configures.
//!
//! ## Why on AMD
//! `find_path(DIR cudnn.h)` and `check_symbol_exists(cudaMalloc cuda_runtime.h HAVE)` find nothing on a machine with ROCm. The list then
//! stops, or builds without the part that was looked for. A release that a list reads out of one of CUDA's headers is nowhere.
//!
//! ## Example
//! ```cmake
//! find_path(CUDNN_INCLUDE_DIR cudnn.h)
//! ```
//! becomes
//! ```cmake
//! find_path(CUDNN_INCLUDE_DIR miopen/miopen.h)
//! ```
//!
//! ## When to ignore
//! In branches for builds that stay on NVIDIA.
//!
//! ## Source
//! CMake 3.21, `find_path` and the modules `Check*`; the tables in `mappings/`.

use crate::analysis::build_names::Counterpart;
use crate::build::probes::{LooksFor, is_described, looks_for};
use crate::build::words::fix;
use crate::rules::prelude::*;

/// Writes what AMD has in its place.
pub static RULE: Rule = Rule {
    code: "CASS652",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::BuildFile(check)],
};

fn check(cx: &mut BuildContext<'_, '_>) {
    if cx.doc.tool != BuildTool::CMake {
        return;
    }
    for command in cx.doc.commands() {
        let Some(what) = looks_for(cx.doc, command) else {
            continue;
        };
        for at in command.open + 1..command.close.min(cx.doc.tokens.len()) {
            if !cx.doc.is_ident(at) || is_described(cx.doc, command, at) {
                continue;
            }
            let found = header(cx, at, what).or_else(|| match what {
                LooksFor::Code => name(cx, at),
                _ => None,
            });
            if let Some(finding) = found {
                cx.report(finding);
            }
        }
    }
}

/// One of CUDA's headers, with or without a folder in front, `${DIR}/cudnn.h`.
fn header(cx: &BuildContext<'_, '_>, at: TokenIndex, what: LooksFor) -> Option<Finding> {
    let word = cx.text(at).into_owned();
    let path = word.trim_start_matches('/');
    let counterpart = Counterpart::of_header(&cx.unit, path)?;
    let start = cx.range(at).end - path.len() as u32;
    let range = TextRange::new(start, cx.range(at).end);
    if what == LooksFor::Text {
        let message = format!("`{path}` exists only in a CUDA installation, and is read here");
        let help = "ROCm's packages give their release in a variable, as `hip_VERSION` behind `find_package(hip)`";
        return Some(RULE.finding(range, message).help(help));
    }
    Some(found(cx, range, path, &counterpart))
}

/// A function, type or constant of CUDA.
fn name(cx: &BuildContext<'_, '_>, at: TokenIndex) -> Option<Finding> {
    let word = cx.text(at).into_owned();
    let counterpart = Counterpart::of_name(&cx.unit, &word)?;
    Some(found(cx, cx.range(at), &word, &counterpart))
}

/// What is said of a word that has a target on AMD, or none.
fn found(
    cx: &BuildContext<'_, '_>,
    range: TextRange,
    word: &str,
    counterpart: &Counterpart,
) -> Finding {
    let Counterpart { note, is_full, .. } = *counterpart;
    let Some(target) = &counterpart.target else {
        let message = format!("`{word}` is looked for and has no counterpart on AMD");
        let help = if note.is_empty() {
            "remove this check, or guard it for CUDA"
        } else {
            note
        };
        return RULE.finding(range, message).help(help);
    };
    let message = format!("`{word}` becomes `{target}`");
    let finding = RULE.finding(range, message).help(note);
    let edit = Edit::replace(range, target.clone());
    match fix(cx.doc, counterpart.applicability(), vec![edit]) {
        Some(fix) if is_full => finding.fix(fix).severity(Severity::Info),
        Some(fix) => finding.fix(fix),
        None => finding,
    }
}
