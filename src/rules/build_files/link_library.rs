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

use crate::analysis::build_files::{Place, file_stem, libraries, target};
use crate::build::command::{Command, command_around, is_called};
use crate::build::deletion::deletion;
use crate::build::words::{fix, is_in_prose, is_joined, line_of, words};
use crate::mapping::{BuildLibrary, BuildTable};
use crate::rules::prelude::*;

/// Writes AMD's library.
pub static RULE: Rule = Rule {
    code: "CASS623",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::BuildFile(check)],
};

fn check(cx: &mut BuildContext<'_, '_>) {
    let mut linked: Vec<(TokenIndex, String)> = Vec::new();
    let all = cx.doc.commands();
    for (index, library, place) in libraries(cx.doc) {
        let link = library.link(&cx.options().choices);
        let becomes = link.map(|link| match place {
            Place::Option => link,
            Place::Target => target(library, &link),
            Place::Name => searched(&cx.text(index), link.trim_start_matches("-l")),
        });
        // `-lcudart -lcuda` are one library on AMD: it is linked once.
        let list = list_of(cx.doc, all, index).filter(|_| place != Place::Name);
        let key = list.zip(becomes.clone().filter(|it| !it.is_empty()));
        let is_there = key.as_ref().is_some_and(|key| linked.contains(key));
        linked.extend(key);
        report(cx, index, library, becomes, is_there);
    }
    let by_path = by_path(cx);
    by_path.into_iter().for_each(|finding| cx.report(finding));
}

/// Libraries by the paths of their files, `${CUDA_DIR}/lib/libnvToolsExt.so`: where AMD's lies, their folder does not tell.
fn by_path(cx: &BuildContext<'_, '_>) -> Vec<Finding> {
    let library = |at: TokenIndex| {
        let word = cx.text(at);
        let (_, file) = word.rsplit_once('/')?;
        let name = file_stem(file);
        let library = BuildTable::builtin().library(name)?;
        let is_file = name != file && file.starts_with("lib") && !is_in_prose(cx.doc, at);
        is_file.then(|| (file.to_owned(), library))
    };
    let finding = |at: TokenIndex| {
        let (file, library) = library(at)?;
        let help = match library.link(&cx.options().choices) {
            Some(link) if !link.is_empty() => format!("link {link}"),
            Some(_) => "leave it out: AMD needs nothing in its place".to_owned(),
            None => library.advice.clone(),
        };
        let message = format!("`{file}` is a file of NVIDIA's");
        Some(RULE.finding(cx.range(at), message).help(help))
    };
    match cx.doc.tool {
        BuildTool::CMake | BuildTool::Make => words(cx.doc).filter_map(finding).collect(),
        _ => Vec::new(),
    }
}

/// What is looked for in place of a library's name or of its file, `libcublas.so.12`: its name in the same form.
fn searched(word: &str, link: &str) -> String {
    match word.contains('.') {
        true => format!("lib{link}.so"),
        false => link.to_owned(),
    }
}

/// The list that a library is an item of, by its first token: what a command of CMake has behind one keyword, a line of make or a shell
/// with those that it goes on with. `None` where an item cannot go: behind `if(TARGET`, in a generator expression.
fn list_of(doc: &BuildFile<'_>, all: &[Command], index: TokenIndex) -> Option<TokenIndex> {
    /// Longer lists are not walked for each of their items.
    const LONGEST: usize = 200;
    const TAKING: &[&str] = &["target_link_libraries", "link_libraries", "set", "list"];
    if doc.tool != BuildTool::CMake {
        let mut line = line_of(doc, index);
        while line > 0 && doc.is(line - 1, "\\") && index - line < LONGEST {
            line = line_of(doc, line - 1);
        }
        return Some(line);
    }
    let command = command_around(all, index)?;
    let is_free = |at: TokenIndex| !is_joined(doc, at);
    let stands_alone = (is_free(index) || index == command.open + 1)
        && (index + 1 == command.close || is_free(index + 1));
    let takes = TAKING.iter().any(|name| is_called(doc, command, name));
    if !stands_alone || !takes {
        return None;
    }
    let is_keyword = |at: &TokenIndex| {
        let word = doc.bytes(*at);
        let is_build = [&b"debug"[..], b"optimized", b"general"].contains(&word);
        is_build || word.len() > 2 && word.iter().all(|it| it.is_ascii_uppercase() || *it == b'_')
    };
    let from = (command.open + 1).max(index.saturating_sub(LONGEST));
    let keyword = (from..index).rev().find(is_keyword);
    // An item that belongs to one build alone is the whole of its list.
    Some(keyword.unwrap_or(command.open))
}

fn report(
    cx: &mut BuildContext<'_, '_>,
    index: TokenIndex,
    library: &'static BuildLibrary,
    becomes: Option<String>,
    is_there: bool,
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
    let (message, edit) = match becomes {
        becomes if becomes.is_empty() => (
            format!("`{word}` is not needed on AMD"),
            deletion(cx.doc, range),
        ),
        becomes if is_there => (
            format!("`{word}` is `{becomes}` on AMD, which is linked already"),
            deletion(cx.doc, range),
        ),
        becomes => (
            format!("`{word}` becomes `{becomes}`"),
            Edit::replace(range, becomes),
        ),
    };
    let finding = RULE.finding(range, message);
    // `cudnn${SUFFIX}`: the rest of the name is NVIDIA's as well.
    let is_whole = !cx.doc.next_is(index, "$") || !is_joined(cx.doc, index + 1);
    let fix = fix(cx.doc, Applicability::Safe, vec![edit]).filter(|_| is_whole);
    let finding = match fix {
        Some(fix) => finding.fix(fix).severity(Severity::Info),
        None => finding.help("link AMD's library"),
    };
    cx.report(finding);
}
