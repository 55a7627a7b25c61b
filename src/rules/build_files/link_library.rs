//! A library of CUDA that a build file links.
//!
//! ## Why on AMD
//! `-lcublas` is not there; its counterpart is `-lhipblas`, or `-lrocblas` where `--blas roc` was chosen. In CMake `CUDA::cublas` is
//! `roc::hipblas`, which `find_package(hipblas)` brings.
//!
//! ## Example
//! ```make
//! LDLIBS = -lcudart -lcublas
//! ```
//! becomes
//! ```make
//! LDLIBS = -lamdhip64 -lhipblas
//! ```
//!
//! ## When to ignore
//! Never: the linker does not find it.
//!
//! ## Source
//! The libraries and CMake packages of ROCm 6.4.

use crate::analysis::build_file::{Place, libraries, target};
use crate::cpp::build_file::{deletion, fix, line_of};
use crate::mapping::BuildLibrary;
use crate::rules::prelude::*;

/// Writes AMD's library.
pub static RULE: Rule = Rule {
    code: "CASS623",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    triggers: &[Trigger::BuildFile],
    check,
};

fn check(_: At<'_>, cx: &mut Context<'_, '_>) {
    let mut linked: Vec<(TokenIndex, String)> = Vec::new();
    for (index, library, place) in libraries(cx.doc) {
        let link = library.link(&cx.options().choices);
        let becomes = link.map(|link| match place {
            Place::Option => link,
            Place::Target => target(library, &link),
            Place::Name => link.trim_start_matches("-l").to_owned(),
        });
        // `-lcudart -lcuda` are one library on AMD: it is linked once a line.
        let key = (line_of(cx.doc, index), becomes.clone().unwrap_or_default());
        let is_there = place != Place::Name && linked.contains(&key);
        linked.push(key);
        report(
            cx,
            index,
            library,
            if is_there {
                Some(String::new())
            } else {
                becomes
            },
        );
    }
}

fn report(
    cx: &mut Context<'_, '_>,
    index: TokenIndex,
    library: &'static BuildLibrary,
    becomes: Option<String>,
) {
    let (range, word) = (cx.range(index), cx.text(index).into_owned());
    let Some(becomes) = becomes else {
        let finding = RULE.finding(range, format!("`{word}` has no counterpart on AMD"));
        return cx.report(
            finding
                .severity(Severity::Error)
                .help(library.advice.as_str()),
        );
    };
    let (message, edit) = if becomes.is_empty() {
        (
            format!("`{word}` is not needed on AMD"),
            deletion(cx.doc, range),
        )
    } else {
        (
            format!("`{word}` becomes `{becomes}`"),
            Edit::replace(range, becomes),
        )
    };
    let finding = RULE.finding(range, message);
    let finding = match fix(cx.doc, Applicability::Safe, vec![edit]) {
        Some(fix) => finding.fix(fix).severity(Severity::Info),
        None => finding.help("link AMD's library"),
    };
    cx.report(finding);
}
