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

use crate::analysis::build_files::{linked_packages, used_packages};
use crate::build::cmake::{Branch, branches, enables_cuda};
use crate::build::command::{Command, is_called};
use crate::build::hip_sources::include;
use crate::build::words::{fix, indent, words};
use crate::options::Vendors;
use crate::rules::prelude::*;

/// Finds the packages of what the list links.
pub static RULE: Rule = Rule {
    code: "CASS629",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    facts: &[],
    checks: &[Check::BuildFile(check)],
};

/// Commands that link, or keep what is linked later.
const LINKING: &[&str] = &["target_link_libraries", "link_libraries", "set", "list"];

fn check(cx: &mut BuildContext<'_, '_>) {
    if cx.doc.tool != BuildTool::CMake {
        return;
    }
    let all = cx.doc.commands();
    let is_toolkit = |command: &&Command| {
        let package = cx.doc.bytes(command.open + 1);
        is_called(cx.doc, command, "find_package") && matches!(package, b"CUDAToolkit" | b"CUDA")
    };
    let found: Vec<Command> = all.iter().filter(is_toolkit).copied().collect();
    let mut packages = used_packages(cx);
    if found.is_empty() {
        return add_packages(cx, all);
    }
    packages.remove("hip");
    let mut headers = headers(cx, all);
    let branches = branches(cx.doc, all);
    for command in found {
        let taken = std::mem::take(&mut packages);
        let is_enabled = is_enabled(cx.doc, all, &branches, &command);
        let lines = package_lines(cx, &command, taken, is_enabled, &mut headers);
        let last = command.close.min(cx.doc.tokens.len() - 1);
        let range = cx.doc.range(command.name, last);
        let message = format!("`{}` becomes ROCm's packages", cx.text(command.open + 1));
        let finding = RULE
            .finding(range, message)
            .help("one package per library: check whether CMakeLists.txt of other folders link more of them");
        let fix = fix(
            cx.doc,
            Applicability::Review,
            vec![Edit::replace(range, lines)],
        );
        cx.report(match fix {
            Some(fix) => finding.fix(fix),
            None => finding,
        });
    }
}

/// The packages of what a list links that leaves finding the toolkit to another list: what that one finds is not known here. Each branch
/// gets what is linked in it, so that a build with the GPU switched off needs no ROCm.
fn add_packages(cx: &mut BuildContext<'_, '_>, all: &[Command]) {
    let branches = branches(cx.doc, all);
    let mut found: Vec<(Branch, String)> = all
        .iter()
        .zip(&branches)
        .filter(|(command, _)| is_called(cx.doc, command, "find_package"))
        .map(|(command, branch)| (*branch, cx.text(command.open + 1).into_owned()))
        .collect();
    if all.iter().any(|command| enables_cuda(cx.doc, command))
        || cx.project.builds.lists.has_parent(&cx.doc.source.path)
    {
        // The list that enables the language finds it for all.
        found.push((Branch::LIST, "hip".to_owned()));
    }
    let linked = linked_packages(cx);
    for (command, branch) in all.iter().zip(&branches) {
        if !LINKING.iter().any(|name| is_called(cx.doc, command, name)) {
            continue;
        }
        let first = linked.partition_point(|(at, _)| *at < command.open);
        let own = linked[first..].iter();
        let own = own.take_while(|(at, _)| *at < command.close);
        let mut packages: BTreeSet<String> = own.map(|(_, package)| package.clone()).collect();
        packages.retain(|package| {
            !found
                .iter()
                .any(|(outer, name)| name == package && outer.holds_in(*branch))
        });
        if !packages.is_empty() {
            found.extend(packages.iter().map(|package| (*branch, package.clone())));
            insert(cx, command, &packages);
        }
    }
}

fn insert(cx: &mut BuildContext<'_, '_>, command: &Command, packages: &BTreeSet<String>) {
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
    if blanks.is_some()
        && let Some(fix) = fix(
            cx.doc,
            Applicability::Review,
            vec![Edit::insert(range.start, lines)],
        )
    {
        finding = finding.fix(fix).severity(Severity::Info);
    }
    cx.report(finding);
}

/// The headers of HIP under CUDA's names, where sources stay as they are and no other command brings those.
fn headers(cx: &BuildContext<'_, '_>, all: &[Command]) -> Option<String> {
    let path = &cx.doc.source.path;
    let is_brought = all.iter().any(|command| enables_cuda(cx.doc, command))
        || cx.project.builds.lists.has_parent(path);
    (cx.options().vendors == Vendors::Both && !is_brought).then(|| include(path))
}

/// Whether a command in front, where it is run as well, makes CMake compile HIP already.
fn is_enabled(
    doc: &BuildFile<'_>,
    all: &[Command],
    branches: &[Branch],
    command: &Command,
) -> bool {
    let before = all.partition_point(|it| it.name < command.name);
    let Some(branch) = branches.get(before) else {
        return false;
    };
    let mut earlier = all[..before].iter().zip(branches);
    earlier.any(|(it, outer)| enables_cuda(doc, it) && outer.holds_in(*branch))
}

/// Whether the file asks if CUDA was found: `if(CUDA_FOUND)`.
fn tests_for_cuda(doc: &BuildFile<'_>) -> bool {
    words(doc).any(|at| doc.is(at, "CUDA_FOUND"))
}

fn package_lines(
    cx: &BuildContext<'_, '_>,
    command: &Command,
    packages: BTreeSet<String>,
    is_enabled: bool,
    headers: &mut Option<String>,
) -> String {
    let has = |word: &str| (command.open..command.close).any(|at| cx.doc.is(at, word));
    let flag = ["REQUIRED", "QUIET"].into_iter().find(|word| has(word));
    let flag = flag.map_or_else(String::new, |word| format!(" {word}"));
    let found = std::iter::once("hip".to_owned())
        .chain(packages)
        .map(|package| format!("{}({package}{flag})", cx.text(command.name)));
    // FindCUDA brings its own commands; nothing else enables a language for them.
    let enable: &[&str] = match enables_cuda(cx.doc, command) && !is_enabled {
        false => &[],
        // Without ROCm the language would end a build that does without CUDA.
        true if !has("REQUIRED") && tests_for_cuda(cx.doc) => {
            &["if(hip_FOUND)", "  enable_language(HIP)", "endif()"]
        }
        true => &["enable_language(HIP)"],
    };
    let enable = enable.iter().map(|line| (*line).to_owned());
    let all: Vec<String> = found.chain(enable).chain(headers.take()).collect();
    let blanks = indent(cx.doc, command.name).unwrap_or_default();
    all.join(&format!("{}{blanks}", cx.doc.newline()))
}
