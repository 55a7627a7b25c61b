//! A package of CMake that NVIDIA's libraries bring, and its targets.
//!
//! ## Why on AMD
//! `find_package(CUB)` finds nothing in ROCm: its libraries are packages of other names, `hipcub` or `miopen`, with other targets. Some
//! of NVIDIA's have no counterpart.
//!
//! ## Example
//! ```cmake
//! find_package(CUB 1.10 REQUIRED)
//! target_link_libraries(x PRIVATE CUB::CUB)
//! ```
//! becomes
//! ```cmake
//! find_package(hipcub REQUIRED)
//! target_link_libraries(x PRIVATE hip::hipcub)
//! ```
//!
//! ## When to ignore
//! In branches for builds that stay on NVIDIA. A tree with a module of its own, `FindCUDNN.cmake`, means that one: nothing is said.
//!
//! ## Source
//! `hipcub-config.cmake` and the other packages of ROCm 6.4; the packages in `mappings/build.toml`.

use crate::analysis::nvidia_packages::{package_found, package_of_target};
use crate::build::command::{Command, command_around};
use crate::build::deletion::deletion;
use crate::build::words::{fix, is_in_prose, words};
use crate::mapping::BuildLibrary;
use crate::rules::prelude::*;

/// Finds ROCm's package and links its target.
pub static RULE: Rule = Rule {
    code: "CASS639",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    facts: &[],
    checks: &[Check::BuildFile(check)],
};

fn check(cx: &mut BuildContext<'_, '_>) {
    if cx.doc.tool != BuildTool::CMake {
        return;
    }
    let all = cx.doc.commands();
    let found: Vec<TokenIndex> = words(cx.doc)
        .filter(|&at| !is_in_prose(cx.doc, at))
        .collect();
    for at in found {
        let finding = command_around(all, at).and_then(|command| match at == command.open + 1 {
            true => package(cx, command, at),
            false => target(cx, at),
        });
        if let Some(finding) = finding {
            cx.report(finding);
        }
    }
}

fn package(cx: &BuildContext<'_, '_>, command: &Command, at: TokenIndex) -> Option<Finding> {
    let package = package_found(cx, command)?;
    let name = cx.text(at).into_owned();
    if package.package == name {
        return None;
    }
    if package.package.is_empty() {
        let finding = without_counterpart(cx, at, package);
        let is_needed = (at..command.close).any(|it| cx.doc.is(it, "REQUIRED"));
        return Some(if is_needed {
            finding
        } else {
            finding.severity(Severity::Warning)
        });
    }
    let message = format!("package `{name}` becomes `{}`", package.package);
    let mut edits = vec![Edit::replace(cx.range(at), package.package.clone())];
    let version = Some(at + 1).filter(|&next| next < command.close && is_version(cx, next));
    // Releases of NVIDIA's libraries say nothing about those of AMD's.
    edits.extend(version.map(|version| deletion(cx.doc, cx.range(version))));
    edits.extend(variables(cx, &name, &package.package));
    let finding = RULE.finding(cx.range(at), message);
    let finding = finding.help("look at what else the list takes from the package: its variables and options have other names");
    let is_plain = (at..command.close).all(|it| !cx.doc.is(it, "COMPONENTS"));
    let fix = fix(cx.doc, Applicability::Review, edits).filter(|_| is_plain);
    Some(match fix {
        Some(fix) => finding.fix(fix),
        None => finding.help("ROCm's package has no components"),
    })
}

fn is_version(cx: &BuildContext<'_, '_>, at: TokenIndex) -> bool {
    cx.doc.bytes(at).first().is_some_and(u8::is_ascii_digit)
}

/// The variables that a package sets, under the name of the other one.
fn variables(cx: &BuildContext<'_, '_>, from: &str, to: &str) -> Vec<Edit> {
    const ENDS: &[&str] = &[
        "_FOUND",
        "_INCLUDE_DIR",
        "_INCLUDE_DIRS",
        "_LIBRARIES",
        "_LIBRARY",
    ];
    let other = |at: TokenIndex| {
        let word = cx.text(at);
        let end = word.strip_prefix(from)?;
        ENDS.contains(&end)
            .then(|| Edit::replace(cx.range(at), format!("{to}{end}")))
    };
    words(cx.doc).filter_map(other).collect()
}

/// `CUB::CUB`, `CCCL::CUB`: a target by its package, or by the part of one that it names.
fn target(cx: &BuildContext<'_, '_>, at: TokenIndex) -> Option<Finding> {
    let word = cx.text(at).into_owned();
    let package = package_of_target(cx, at)?;
    if package.target.is_empty() {
        return Some(without_counterpart(cx, at, package));
    }
    let message = format!("`{word}` becomes `{}`", package.target);
    let help = format!("find_package({}) brings it", package.package);
    let edit = Edit::replace(cx.range(at), package.target.clone());
    let finding = RULE.finding(cx.range(at), message).help(help);
    Some(match fix(cx.doc, Applicability::Review, vec![edit]) {
        Some(fix) => finding.fix(fix),
        None => finding,
    })
}

fn without_counterpart(
    cx: &BuildContext<'_, '_>,
    at: TokenIndex,
    package: &'static BuildLibrary,
) -> Finding {
    let message = format!("`{}` has no package like it in ROCm", cx.text(at));
    let finding = RULE.finding(cx.range(at), message);
    finding
        .severity(Severity::Error)
        .help(package.advice.as_str())
}
