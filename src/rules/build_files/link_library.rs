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

use std::collections::BTreeSet;

use crate::cpp::build_file::{Command, commands, deletion, fix, is_called, is_in_prose, words};
use crate::mapping::{BuildLibrary, BuildTable};
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
    for (index, library, place) in libraries(cx.doc) {
        let link = library.link(&cx.options().choices);
        let becomes = link.map(|link| match place {
            Place::Option => link,
            Place::Target => target(library, &link),
            Place::Name => link.trim_start_matches("-l").to_owned(),
        });
        report(cx, index, library, becomes);
    }
}

/// The packages of CMake that bring what the file links.
pub(crate) fn used_packages(cx: &Context<'_, '_>) -> BTreeSet<String> {
    let package = |library: &BuildLibrary| {
        let link = library.link(&cx.options().choices)?;
        let target = target(library, &link);
        let of_roc = target
            .strip_prefix("roc::roc")
            .map(|name| format!("roc{name}"));
        Some(of_roc.unwrap_or_else(|| library.package.clone()))
    };
    libraries(cx.doc)
        .into_iter()
        .filter(|(_, _, place)| *place == Place::Target)
        .filter_map(|(_, library, _)| package(library))
        .filter(|package| !package.is_empty())
        .collect()
}

/// How a library is named.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// `-lcublas`.
    Option,
    /// `CUDA::cublas`, or `cublas` among the libraries of a target.
    Target,
    /// What `find_library` looks for.
    Name,
}

fn libraries(doc: &Document<'_>) -> Vec<(TokenIndex, &'static BuildLibrary, Place)> {
    let all = commands(doc);
    let named = |index: TokenIndex| {
        let word = std::str::from_utf8(doc.bytes(index)).ok()?;
        let (name, place) = match (word.strip_prefix("-l"), word.strip_prefix("CUDA::")) {
            (Some(name), _) => (name, Place::Option),
            (_, Some(name)) => (name, Place::Target),
            _ => (word, bare(doc, &all, index)?),
        };
        Some((index, BuildTable::builtin().library(name)?, place))
    };
    words(doc)
        .filter_map(named)
        .filter(|found| !is_in_prose(doc, found.0))
        .collect()
}

/// What a word without mark means by its place in a CMake list.
fn bare(doc: &Document<'_>, all: &[Command], index: TokenIndex) -> Option<Place> {
    let at = all.partition_point(|command| command.close <= index);
    let command = all.get(at).filter(|command| command.open + 1 < index)?;
    let links = ["target_link_libraries", "link_libraries"];
    if links.iter().any(|name| is_called(doc, command, name)) {
        return Some(Place::Target);
    }
    is_called(doc, command, "find_library").then_some(Place::Name)
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
    let finding = match fix(cx, Applicability::Safe, vec![edit]) {
        Some(fix) => finding.fix(fix).severity(Severity::Info),
        None => finding.help("link AMD's library"),
    };
    cx.report(finding);
}

/// The imported target of CMake; that of the family which was chosen, where the linker's option says another than the table.
fn target(library: &BuildLibrary, link: &str) -> String {
    match link.strip_prefix("-l") {
        Some(name) if name.starts_with("roc") && !name.starts_with("roctx") => {
            format!("roc::{name}")
        }
        Some(name) if library.target.is_empty() => name.to_owned(),
        _ => library.target.clone(),
    }
}
