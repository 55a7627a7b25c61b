//! CMake that knows CUDA.
//!
//! ## Why on AMD
//! CMake has a language HIP since 3.21 as it has CUDA: `project(x LANGUAGES CXX HIP)`, `CMAKE_HIP_FLAGS`, `HIP_ARCHITECTURES`. The
//! toolkit is several packages, `hip` and one for each library. `mappings/build.toml` has the list of words.
//!
//! ## Example
//! ```cmake
//! project(x LANGUAGES CXX CUDA)
//! find_package(CUDAToolkit REQUIRED)
//! target_link_libraries(x PRIVATE CUDA::cublas)
//! ```
//! becomes
//! ```cmake
//! project(x LANGUAGES CXX HIP)
//! find_package(hip REQUIRED)
//! find_package(hipblas REQUIRED)
//! target_link_libraries(x PRIVATE roc::hipblas)
//! ```
//!
//! ## When to ignore
//! In branches for builds that stay on NVIDIA.
//!
//! ## Source
//! CMake 3.21, `CMAKE_HIP_*` and `HIP_ARCHITECTURES`; `hip-config.cmake` and the other packages of ROCm 6.4.

use std::collections::BTreeSet;

use super::build_words::{Command, commands, fix, is_called, is_in_prose, tool, words};
use super::link_library::used_packages;
use super::prelude::*;
use crate::mapping::BuildTable;

/// Writes the HIP language, its variables and its packages.
pub static RULE: Rule = Rule {
    code: "CASS624",
    name: "cmake-cuda",
    group: Group::Build,
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    since: "0.1.0",
    priority: 50,
    triggers: &[Trigger::BuildFile],
    check,
};

/// The first release with the HIP language.
const WITH_HIP: (u32, u32) = (3, 21);

fn check(_: At<'_>, cx: &mut Context<'_, '_>) {
    if tool(cx.doc) != BuildTool::CMake {
        return;
    }
    let all = commands(cx.doc);
    check_packages(cx, &all);
    check_languages(cx, &all);
    let found: Vec<TokenIndex> = words(cx.doc)
        .filter(|&at| !is_in_prose(cx.doc, at))
        .collect();
    for index in found {
        let word = cx.text(index).into_owned();
        if let Some((entry, becomes)) = BuildTable::builtin().cmake(&word) {
            report_word(
                cx,
                index,
                becomes,
                if entry.advice.is_empty() {
                    &entry.review
                } else {
                    &entry.advice
                },
            );
        }
    }
}

/// A variable, property or function, by the table; the architectures by `--target`.
fn report_word(
    cx: &mut Context<'_, '_>,
    index: TokenIndex,
    becomes: Option<String>,
    help: &'static str,
) {
    let word = cx.text(index).into_owned();
    if let Some(finding) = architectures(cx, index, &word) {
        return cx.report(finding);
    }
    let finding = match becomes {
        None => RULE.finding(
            cx.range(index),
            format!("`{word}` says nothing to the language HIP"),
        ),
        Some(becomes) => {
            let message = format!("`{word}` becomes `{becomes}`");
            let finding = replaced(cx, index, message, becomes);
            if help.is_empty() {
                told(finding)
            } else {
                finding
            }
        }
    };
    cx.report(finding.help(help));
}

/// `set(CMAKE_CUDA_ARCHITECTURES 70 80)` where it is known for which chips to build.
fn architectures(cx: &Context<'_, '_>, index: TokenIndex, word: &str) -> Option<Finding> {
    let name = match word {
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
    Some(told(with_fix(cx, finding, vec![edit])))
}

/// `CUDA` where a language is named, and the release of CMake that knows HIP.
fn check_languages(cx: &mut Context<'_, '_>, all: &[Command]) {
    let named: Vec<TokenIndex> = words(cx.doc)
        .filter(|&at| cx.doc.is(at, "CUDA") && is_language(cx.doc, all, at))
        .collect();
    for &index in &named {
        let message = "CMake's language CUDA becomes HIP".to_owned();
        let mut finding = replaced(cx, index, message, "HIP".to_owned());
        if cx.doc.is(index + 1, ",") && cx.doc.is(index + 2, "NVIDIA") {
            let range = cx.doc.range(index, index + 2);
            finding = with_fix(cx, finding, vec![Edit::replace(range, "HIP,Clang")]);
        }
        cx.report(told(finding));
    }
    let minimum = all
        .iter()
        .find(|command| is_called(cx.doc, command, "cmake_minimum_required"));
    if let (Some(command), false) = (minimum, named.is_empty()) {
        check_minimum(cx, command.open + 2);
    }
}

fn is_language(doc: &Document<'_>, all: &[Command], at: TokenIndex) -> bool {
    let is_before = |words: &[&str]| words.iter().any(|word| doc.is_before(at, word));
    let in_generator = doc.is_before(at, ":")
        && at > 1
        && matches!(
            doc.bytes(at - 2),
            b"COMPILE_LANGUAGE" | b"COMPILE_LANG_AND_ID" | b"LINK_LANGUAGE"
        );
    let within = |command: &&Command| command.open < at && at < command.close;
    let names_it = all.iter().find(within).is_some_and(|command| {
        is_called(doc, command, "enable_language")
            || is_called(doc, command, "check_language")
            || is_called(doc, command, "project") && at > command.open + 1
    });
    in_generator || names_it || is_before(&["LANGUAGE", "LANGUAGES", "LINKER_LANGUAGE"])
}

fn check_minimum(cx: &mut Context<'_, '_>, index: TokenIndex) {
    let text = cx.text(index).into_owned();
    let (least, rest) = text
        .split_once("...")
        .map_or((text.as_str(), None), |(least, most)| (least, Some(most)));
    let mut parts = least.split('.').map(|part| part.parse::<u32>().ok());
    let (Some(Some(major)), minor) = (parts.next(), parts.next().flatten().unwrap_or(0)) else {
        return;
    };
    if (major, minor) >= WITH_HIP {
        return;
    }
    let (major, minor) = WITH_HIP;
    let becomes = match rest {
        Some(most) => format!("{major}.{minor}...{most}"),
        None => format!("{major}.{minor}"),
    };
    let message = format!("CMake has the language HIP since {major}.{minor}");
    let finding = replaced(cx, index, message, becomes);
    cx.report(told(finding));
}

/// `find_package(CUDAToolkit)` becomes the packages of what the file links.
fn check_packages(cx: &mut Context<'_, '_>, all: &[Command]) {
    let is_toolkit = |command: &&Command| {
        let package = cx.doc.bytes(command.open + 1);
        is_called(cx.doc, command, "find_package") && matches!(package, b"CUDAToolkit" | b"CUDA")
    };
    let found: Vec<Command> = all.iter().filter(is_toolkit).copied().collect();
    let mut packages = used_packages(cx);
    if found.is_empty() {
        return add_packages(cx, all, packages);
    }
    packages.remove("hip");
    for command in found {
        let lines = package_lines(cx, &command, std::mem::take(&mut packages));
        let last = command.close.min(cx.doc.tokens.len() - 1);
        let range = cx.doc.range(command.name, last);
        let message = format!("`{}` becomes ROCm's packages", cx.text(command.open + 1));
        let finding = RULE
            .finding(range, message)
            .help("one package a library: look whether lists of other folders link more of them");
        let finding = with_fix(cx, finding, vec![Edit::replace(range, lines)]);
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
    let line = cx.doc.source.line_col(range.start).line;
    let start = cx
        .doc
        .source
        .lines()
        .line_start(line)
        .unwrap_or(range.start);
    let indent = cx.text_of(TextRange::new(start, range.start)).into_owned();
    let lines: String = packages
        .iter()
        .map(|package| {
            format!(
                "find_package({package} REQUIRED){}{indent}",
                cx.doc.newline()
            )
        })
        .collect();
    let finding = RULE.finding(
        range,
        "the libraries that are linked here come by ROCm's packages",
    );
    let finding = finding.help(format!("`{}`", lines.trim()));
    if indent.trim().is_empty() {
        let finding = with_fix(cx, finding, vec![Edit::insert(range.start, lines)]);
        cx.report(told(finding));
    } else {
        cx.report(finding);
    }
}

fn package_lines(cx: &Context<'_, '_>, command: &Command, packages: BTreeSet<String>) -> String {
    let has = |word: &str| (command.open..command.close).any(|at| cx.doc.is(at, word));
    let flag = ["REQUIRED", "QUIET"].into_iter().find(|word| has(word));
    let flag = flag.map_or_else(String::new, |word| format!(" {word}"));
    let line_start = cx
        .doc
        .source
        .line(cx.doc.source.line_col(cx.range(command.name).start).line);
    let blanks = line_start
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    let indent = String::from_utf8_lossy(&line_start[..blanks]).into_owned();
    let all: Vec<String> = std::iter::once("hip".to_owned())
        .chain(packages)
        .map(|package| format!("{}({package}{flag})", cx.text(command.name)))
        .collect();
    all.join(&format!("{}{indent}", cx.doc.newline()))
}

/// Nothing to look at where the change is made.
fn told(finding: Finding) -> Finding {
    if finding.fix.is_some() {
        finding.severity(Severity::Info)
    } else {
        finding
    }
}

fn replaced(cx: &Context<'_, '_>, index: TokenIndex, message: String, becomes: String) -> Finding {
    let range = cx.range(index);
    with_fix(
        cx,
        RULE.finding(range, message),
        vec![Edit::replace(range, becomes)],
    )
}

fn with_fix(cx: &Context<'_, '_>, finding: Finding, edits: Vec<Edit>) -> Finding {
    match fix(cx, Applicability::Review, edits) {
        Some(fix) => finding.fix(fix),
        None => finding,
    }
}
