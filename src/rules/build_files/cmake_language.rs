//! The language CUDA in a CMake list.
//!
//! ## Why on AMD
//! CMake has a language HIP since 3.21 as it has CUDA: `project(x LANGUAGES CXX HIP)`, `$<COMPILE_LANGUAGE:HIP>`. It calls amdclang++
//! itself, without hipcc.
//!
//! ## Example
//! ```cmake
//! cmake_minimum_required(VERSION 3.18)
//! project(x LANGUAGES CXX CUDA)
//! ```
//! becomes
//! ```cmake
//! cmake_minimum_required(VERSION 3.21)
//! project(x LANGUAGES CXX HIP)
//! ```
//!
//! ## When to ignore
//! In branches for builds that stay on NVIDIA.
//!
//! ## Source
//! CMake 3.21, `CMAKE_HIP_*`; `hip-lang-config.cmake` of ROCm 6.4.

use crate::build::cmake::{enables_cuda, names_language};
use crate::build::cmake_release::release;
use crate::build::command::{Command, command_around, is_called};
use crate::build::words::{fix, words};
use crate::rules::prelude::*;

/// Writes the language HIP, and the release of CMake that knows it.
pub static RULE: Rule = Rule {
    code: "CASS624",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::BuildFile(check)],
};

/// Commands that try something in the language that they name first.
const CHECKS: &[&str] = &[
    "check_compiler_flag",
    "check_linker_flag",
    "check_source_compiles",
    "check_source_runs",
];

/// The first release with the HIP language.
const WITH_HIP: (u32, u32) = (3, 21);

fn check(cx: &mut BuildContext<'_, '_>) {
    if cx.doc.tool != BuildTool::CMake {
        return;
    }
    let all = cx.doc.commands();
    let named: Vec<TokenIndex> = words(cx.doc)
        .filter(|&at| cx.doc.is(at, "CUDA") && is_language(cx.doc, all, at))
        .collect();
    for &index in &named {
        let has_vendor = cx.doc.is(index + 1, ",") && cx.doc.is(index + 2, "NVIDIA");
        let (last, becomes) = if has_vendor {
            (index + 2, "HIP,Clang")
        } else {
            (index, "HIP")
        };
        report(
            cx,
            cx.doc.range(index, last),
            "CMake language CUDA becomes HIP".to_owned(),
            becomes.to_owned(),
        );
    }
    // FindCUDA needs no language; its counterpart does.
    let is_needed = !named.is_empty() || all.iter().any(|command| enables_cuda(cx.doc, command));
    // A list may ask for one release on one system and for another one elsewhere.
    let doc = cx.doc;
    let asks = |command: &&Command| is_called(doc, command, "cmake_minimum_required");
    for command in all.iter().filter(asks).filter(|_| is_needed) {
        check_minimum(cx, command.open + 2);
    }
}

fn report(cx: &mut BuildContext<'_, '_>, range: TextRange, message: String, becomes: String) {
    let finding = RULE.finding(range, message);
    let edit = Edit::replace(range, becomes);
    cx.report(match fix(cx.doc, Applicability::Safe, vec![edit]) {
        Some(fix) => finding.fix(fix).severity(Severity::Info),
        None => finding.help("write the language HIP"),
    });
}

fn is_language(doc: &BuildFile<'_>, all: &[Command], at: TokenIndex) -> bool {
    let is_before = |words: &[&str]| words.iter().any(|word| doc.is_before(at, word));
    let in_generator = doc.is_before(at, ":")
        && at > 1
        && matches!(
            doc.bytes(at - 2),
            b"COMPILE_LANGUAGE" | b"COMPILE_LANG_AND_ID" | b"LINK_LANGUAGE"
        );
    let names_it = command_around(all, at).is_some_and(|command| {
        let is_checked = CHECKS.iter().any(|name| is_called(doc, command, name));
        is_called(doc, command, "enable_language")
            || is_called(doc, command, "check_language")
            || is_called(doc, command, "project") && names_language(doc, command, at)
            || is_checked && at == command.open + 1
    });
    in_generator || names_it || is_before(&["LANGUAGE", "LANGUAGES", "LINKER_LANGUAGE"])
}

fn check_minimum(cx: &mut BuildContext<'_, '_>, index: TokenIndex) {
    let text = cx.text(index).into_owned();
    let (least, rest) = text
        .split_once("...")
        .map_or((text.as_str(), None), |(least, most)| (least, Some(most)));
    if release(least).is_none_or(|least| least >= WITH_HIP) {
        return;
    }
    let (major, minor) = WITH_HIP;
    // The end of a range that lies in front of its start ends the build.
    let most = rest.filter(|most| release(most).is_some_and(|most| most > WITH_HIP));
    let becomes = match most {
        Some(most) => format!("{major}.{minor}...{most}"),
        None => format!("{major}.{minor}"),
    };
    let message = format!("the HIP language needs CMake {major}.{minor}");
    report(cx, cx.range(index), message, becomes);
}
