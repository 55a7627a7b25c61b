//! The CUDA toolkit as a package of CMake.
//!
//! ## Why on AMD
//! What `find_package(CUDAToolkit)` finds at once is several packages in ROCm: `hip`, and one for each library.
//!
//! ## Example
//! ```cmake
//! find_package(CUDAToolkit REQUIRED)
//! target_link_libraries(x PRIVATE CUDA::cublas)
//! ```
//! becomes
//! ```cmake
//! find_package(hip REQUIRED)
//! find_package(hipblas REQUIRED)
//! target_link_libraries(x PRIVATE roc::hipblas)
//! ```
//!
//! ## When to ignore
//! In branches for builds that stay on NVIDIA.
//!
//! ## Source
//! `hip-config.cmake` and the other packages of ROCm 6.4.

use std::collections::BTreeSet;

use crate::analysis::build_file::used_packages;
use crate::cpp::build_file::{Command, commands, indent, is_called, tool};
use crate::rules::prelude::*;

/// Finds the packages of what the list links.
pub static RULE: Rule = Rule {
    code: "CASS629",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    triggers: &[Trigger::BuildFile],
    check,
};

fn check(_: At<'_>, cx: &mut Context<'_, '_>) {
    if tool(cx.doc) != BuildTool::CMake {
        return;
    }
    let all = commands(cx.doc);
    let is_toolkit = |command: &&Command| {
        let package = cx.doc.bytes(command.open + 1);
        is_called(cx.doc, command, "find_package") && matches!(package, b"CUDAToolkit" | b"CUDA")
    };
    let found: Vec<Command> = all.iter().filter(is_toolkit).copied().collect();
    let mut packages = used_packages(cx);
    if found.is_empty() {
        return add_packages(cx, &all, packages);
    }
    packages.remove("hip");
    for command in found {
        let lines = package_lines(cx, &command, std::mem::take(&mut packages));
        let last = command.close.min(cx.doc.tokens.len() - 1);
        let range = cx.doc.range(command.name, last);
        let message = format!("`{}` becomes ROCm's packages", cx.text(command.open + 1));
        let finding = RULE
            .finding(range, message)
            .help("one package per library: check whether CMakeLists.txt of other folders link more of them")
            .fix(Fix::review(vec![Edit::replace(range, lines)]));
        cx.report(finding);
    }
}

/// The packages of what a list links that leaves finding the toolkit to another list: what that one finds is not known here.
fn add_packages(cx: &mut Context<'_, '_>, all: &[Command], mut packages: BTreeSet<String>) {
    let is_found = |package: &str| {
        all.iter().any(|command| {
            is_called(cx.doc, command, "find_package") && cx.doc.is(command.open + 1, package)
        })
    };
    packages.retain(|package| !is_found(package));
    let links = |command: &&Command| is_called(cx.doc, command, "target_link_libraries");
    let Some(command) = all.iter().find(links).filter(|_| !packages.is_empty()) else {
        return;
    };
    let range = cx.range(command.name);
    let blanks = indent(cx.doc, command.name);
    let line = |package: &String| {
        let blanks = blanks.as_deref().unwrap_or_default();
        format!(
            "find_package({package} REQUIRED){}{blanks}",
            cx.doc.newline()
        )
    };
    let lines: String = packages.iter().map(line).collect();
    let message = "the libraries linked here come from ROCm's packages";
    let mut finding = RULE
        .finding(range, message)
        .help(format!("`{}`", lines.trim()));
    if blanks.is_some() {
        let edit = Edit::insert(range.start, lines);
        finding = finding
            .fix(Fix::review(vec![edit]))
            .severity(Severity::Info);
    }
    cx.report(finding);
}

fn package_lines(cx: &Context<'_, '_>, command: &Command, packages: BTreeSet<String>) -> String {
    let has = |word: &str| (command.open..command.close).any(|at| cx.doc.is(at, word));
    let flag = ["REQUIRED", "QUIET"].into_iter().find(|word| has(word));
    let flag = flag.map_or_else(String::new, |word| format!(" {word}"));
    let all: Vec<String> = std::iter::once("hip".to_owned())
        .chain(packages)
        .map(|package| format!("{}({package}{flag})", cx.text(command.name)))
        .collect();
    let blanks = indent(cx.doc, command.name).unwrap_or_default();
    all.join(&format!("{}{blanks}", cx.doc.newline()))
}
