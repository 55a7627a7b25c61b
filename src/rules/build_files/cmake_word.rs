//! A variable, property or command of CMake that is about CUDA.
//!
//! ## Why on AMD
//! `CMAKE_CUDA_FLAGS`, `CUDA_STANDARD`, `CUDAToolkit_INCLUDE_DIRS`, `cuda_add_executable` and the like mean nothing to the language HIP,
//! which has words of its own for most of them. `mappings/build.toml` has the list. The architectures follow `--target`. What is empty
//! on AMD leaves the lists of folders, as CMake refuses `include_directories("")`.
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

use rustc_hash::FxHashSet;

use crate::build::cmake::{chooses_compiler, enables_cuda};
use crate::build::command::{Command, command_around, is_called};
use crate::build::find_cuda::{options, runtime};
use crate::build::hip_sources::folder_from;
use crate::build::words::{deletion, fix, indent, is_in_prose, is_joined, is_quoted, words};
use crate::mapping::{BuildTable, BuildWord};
use crate::options::BuildMode;
use crate::rules::prelude::*;

/// Writes the words of the language HIP.
pub static RULE: Rule = Rule {
    code: "CASS628",
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
    let found: Vec<TokenIndex> = words(cx.doc)
        .filter(|&at| !is_in_prose(cx.doc, at))
        .collect();
    let all = cx.doc.commands();
    let releases = release_variables(cx);
    for index in found {
        let finding = architectures(cx, index)
            .or_else(|| release(cx, index, &releases))
            .or_else(|| compiler_choice(cx, all, index))
            .or_else(|| by_table(cx, all, index));
        if let Some(finding) = finding {
            cx.report(finding);
        }
    }
}

/// What the table says of a word.
fn by_table(cx: &BuildContext<'_, '_>, all: &[Command], index: TokenIndex) -> Option<Finding> {
    let word = cx.text(index).into_owned();
    let (entry, becomes) = BuildTable::builtin().cmake(&word)?;
    if is_pattern(cx, all, index) {
        return None;
    }
    if word.ends_with("SEPARABLE_COMPILATION") && is_read(cx, all) {
        return None;
    }
    let range = cx.range(index);
    let Some(becomes) = becomes else {
        return Some(without_effect(cx, all, index, &entry.advice));
    };
    if becomes.is_empty() {
        return Some(not_needed(cx, all, index, entry));
    }
    if let Some(finding) = file_of_runtime(cx, all, index, &becomes) {
        return Some(finding);
    }
    let message = format!("`{word}` becomes `{becomes}`");
    let mut finding = RULE.finding(range, message).help(entry.review.as_str());
    // A target or a program is no variable: it stands for the whole reference, where such a thing may stand.
    let (range, is_meant) = match becomes.contains("::") || becomes == "hipcc" {
        true => (
            reference(cx, index).unwrap_or(range),
            takes_items(cx, all, index),
        ),
        false => (range, true),
    };
    let becomes = of_build(cx, becomes);
    if is_meant && is_linked_before(cx, all, index, &becomes) {
        return Some(linked_already(cx, range, &becomes));
    }
    let mut edits = vec![Edit::replace(range, becomes)];
    edits.extend(vendor(cx, index));
    edits.extend(runtime(cx.doc, all, index));
    let options = options(cx.doc, all, index);
    let is_meant = is_meant && options != Some(Vec::new());
    edits.extend(options.unwrap_or_default());
    let is_sure = entry.review.is_empty();
    let applicability = if is_sure {
        Applicability::Safe
    } else {
        Applicability::Review
    };
    match fix(cx.doc, applicability, edits).filter(|_| is_meant) {
        Some(fix) if is_sure => finding = finding.fix(fix).severity(Severity::Info),
        Some(fix) => finding = finding.fix(fix),
        None => finding = finding.help("write what the HIP build uses in its place"),
    }
    Some(finding)
}

/// What is said of a variable that HIP has nothing like: an item of a list, empty from now on, goes, as CMake refuses an empty folder.
fn without_effect(
    cx: &BuildContext<'_, '_>,
    all: &[Command],
    index: TokenIndex,
    advice: &'static str,
) -> Finding {
    const TAKING: &[&str] = &[
        "include_directories",
        "target_include_directories",
        "link_directories",
        "target_link_directories",
    ];
    let message = format!("`{}` has no effect on the HIP language", cx.text(index));
    let finding = RULE.finding(cx.range(index), message).help(advice);
    let takes = |command: &&Command| TAKING.iter().any(|name| is_called(cx.doc, command, name));
    let is_taken = command_around(all, index).filter(takes).is_some();
    let item = whole_argument(cx, index).filter(|_| is_taken && advice.starts_with("leave it out"));
    let edit = item.map(|item| deletion(cx.doc, item));
    match edit.and_then(|edit| fix(cx.doc, Applicability::Safe, vec![edit])) {
        Some(fix) => finding.fix(fix).severity(Severity::Info),
        None => finding,
    }
}

/// A command that only prepared something for FindCUDA: it goes where it has its line for itself.
fn not_needed(
    cx: &BuildContext<'_, '_>,
    all: &[Command],
    index: TokenIndex,
    entry: &'static BuildWord,
) -> Finding {
    let message = format!("`{}` is not needed on AMD", cx.text(index));
    let finding = RULE
        .finding(cx.range(index), message)
        .help(entry.review.as_str());
    let is_whole = |command: &&Command| {
        command.name == index
            && command.close < cx.doc.tokens.len()
            && indent(cx.doc, index).is_some()
    };
    let at = all.partition_point(|command| command.name < index);
    let edit = all.get(at).filter(is_whole);
    let edit = edit.map(|it| deletion(cx.doc, cx.doc.range(it.name, it.close)));
    match edit.and_then(|edit| fix(cx.doc, Applicability::Safe, vec![edit])) {
        Some(fix) => finding.fix(fix).severity(Severity::Info),
        None => finding,
    }
}

/// `get_filename_component(folder ${CUDA_CUDART_LIBRARY} PATH)`: a target has no folder, the file of the runtime has.
fn file_of_runtime(
    cx: &BuildContext<'_, '_>,
    all: &[Command],
    index: TokenIndex,
    becomes: &str,
) -> Option<Finding> {
    const FILE: &str = "${hip_LIB_INSTALL_DIR}/libamdhip64.so";
    let command = command_around(all, index)?;
    let is_meant = becomes == "hip::host" && is_called(cx.doc, command, "get_filename_component");
    let range = reference(cx, index).filter(|_| is_meant)?;
    let message = format!("`{}` becomes the file of HIP's runtime", cx.text_of(range));
    let finding = RULE.finding(cx.range(index), message);
    let edit = Edit::replace(range, FILE);
    Some(match fix(cx.doc, Applicability::Safe, vec![edit]) {
        Some(fix) => finding.fix(fix).severity(Severity::Info),
        None => finding,
    })
}

/// The argument that a reference to a variable is all of, its quotes included.
fn whole_argument(cx: &BuildContext<'_, '_>, index: TokenIndex) -> Option<TextRange> {
    reference(cx, index)?;
    let (mut first, mut last) = (index - 2, index + 1);
    if first > 0 && cx.doc.is(first - 1, "\"") && cx.doc.is(last + 1, "\"") {
        (first, last) = (first - 1, last + 1);
    }
    let is_free = |at: TokenIndex| !is_joined(cx.doc, at) || cx.doc.is(at, ")");
    let starts = !is_joined(cx.doc, first) || cx.doc.is_before(first, "(");
    let ends = last + 1 >= cx.doc.tokens.len() || is_free(last + 1);
    (starts && ends).then(|| cx.doc.range(first, last))
}

/// Whether a word is part of what is looked for in the text of a file or variable, `file(STRINGS cuda.h LINE REGEX "CUDA_VERSION")`.
fn is_pattern(cx: &BuildContext<'_, '_>, all: &[Command], index: TokenIndex) -> bool {
    let looks = |command: &&Command| {
        ["file", "string"]
            .iter()
            .any(|name| is_called(cx.doc, command, name))
    };
    let is_in_text = is_quoted(cx.doc, index) && reference(cx, index).is_none();
    is_in_text && command_around(all, index).filter(looks).is_some()
}

/// Whether the function that stands where CUDA was enabled reads the property.
fn is_read(cx: &BuildContext<'_, '_>, all: &[Command]) -> bool {
    all.iter().any(|command| enables_cuda(cx.doc, command))
        || cx.project.builds.lists.has_parent(&cx.doc.source.path)
}

/// `${NAME}` around a name.
fn reference(cx: &BuildContext<'_, '_>, index: TokenIndex) -> Option<TextRange> {
    let is_reference = index > 1
        && cx.doc.is(index - 1, "{")
        && cx.doc.is(index - 2, "$")
        && cx.doc.is(index + 1, "}");
    is_reference.then(|| cx.doc.range(index - 2, index + 1))
}

/// The program with what the build needs: sources that stay as they are find HIP by the headers under CUDA's names.
fn of_build(cx: &BuildContext<'_, '_>, becomes: String) -> String {
    if becomes != "hipcc" || cx.options().build != BuildMode::Dual {
        return becomes;
    }
    let folder = folder_from(&cx.doc.source.path);
    format!("hipcc -DUSE_ROCM -I${{CMAKE_CURRENT_SOURCE_DIR}}/{folder} -include cass_cuda_shim.h")
}

/// What is said of a variable whose target stands in the list already: it goes.
fn linked_already(cx: &BuildContext<'_, '_>, range: TextRange, target: &str) -> Finding {
    let word = cx.text_of(range);
    let message = format!("`{word}` is `{target}` on AMD, which is linked already");
    let edit = deletion(cx.doc, range);
    let finding = RULE.finding(range, message);
    match fix(cx.doc, Applicability::Safe, vec![edit]) {
        Some(fix) => finding.fix(fix).severity(Severity::Info),
        None => finding,
    }
}

/// Whether another variable in the same list of libraries becomes the same target: the libraries of the runtime are one on AMD.
fn is_linked_before(
    cx: &BuildContext<'_, '_>,
    all: &[Command],
    index: TokenIndex,
    target: &str,
) -> bool {
    const LINKING: &[&str] = &["target_link_libraries", "link_libraries"];
    let doc = cx.doc;
    let links = |command: &&Command| LINKING.iter().any(|name| is_called(doc, command, name));
    let Some(command) = command_around(all, index).filter(links) else {
        return false;
    };
    // A list without its `)` ends with the file.
    let ends =
        index + 2 == command.close || index + 2 < doc.tokens.len() && !is_joined(doc, index + 2);
    let stands_alone = reference(cx, index).is_some() && !is_joined(doc, index - 2) && ends;
    let is_item = |at: TokenIndex| reference(cx, at).is_some();
    // What stands behind `PRIVATE` or `debug` is a list of its own.
    let is_keyword = |at: TokenIndex| {
        let word = doc.bytes(at);
        let is_build = matches!(word, b"debug" | b"optimized" | b"general");
        let is_upper = word.len() > 2 && word.iter().all(u8::is_ascii_uppercase);
        !is_item(at) && doc.is_ident(at) && (is_build || is_upper)
    };
    let mut before = (command.open + 1..index)
        .rev()
        .take_while(|&at| !is_keyword(at));
    let is_same = |at: TokenIndex| {
        let known = BuildTable::builtin().cmake(&cx.text(at));
        is_item(at) && known.is_some_and(|(_, becomes)| becomes.as_deref() == Some(target))
    };
    target.contains("::") && stands_alone && before.any(is_same)
}

/// Whether a command takes libraries or programs where the word stands.
fn takes_items(cx: &BuildContext<'_, '_>, all: &[Command], index: TokenIndex) -> bool {
    const TAKING: &[&str] = &[
        "target_link_libraries",
        "link_libraries",
        "add_custom_command",
        "add_custom_target",
        "execute_process",
        "list",
        "set",
    ];
    reference(cx, index).is_some()
        && command_around(all, index)
            .is_some_and(|command| TAKING.iter().any(|name| is_called(cx.doc, command, name)))
}

/// `STREQUAL "NVIDIA"` behind the compiler's identity.
fn vendor(cx: &BuildContext<'_, '_>, index: TokenIndex) -> Option<Edit> {
    if !cx.doc.is(index, "CMAKE_CUDA_COMPILER_ID") {
        return None;
    }
    let operator =
        (index + 1..index + 4).find(|&at| cx.doc.is(at, "STREQUAL") || cx.doc.is(at, "MATCHES"))?;
    let name = (operator + 1..operator + 3).find(|&at| cx.doc.is(at, "NVIDIA"))?;
    Some(Edit::replace(cx.range(name), "Clang"))
}

/// A comparison with a release of CUDA: HIP counts its releases otherwise, and ROCm covers what CUDA 12 has.
fn release(
    cx: &BuildContext<'_, '_>,
    index: TokenIndex,
    variables: &FxHashSet<&[u8]>,
) -> Option<Finding> {
    let doc = cx.doc;
    if !names_release(doc.bytes(index)) && !variables.contains(doc.bytes(index)) {
        return None;
    }
    let (first, last) = match reference(cx, index) {
        Some(_) => (index - 2, index + 1),
        None => (index, index),
    };
    let is_quoted = first > 0 && doc.is(first - 1, "\"") && doc.is(last + 1, "\"");
    let (first, last) = if is_quoted {
        (first - 1, last + 1)
    } else {
        (first, last)
    };
    let operator = cx
        .doc
        .tokens
        .get(last + 1)
        .map(|_| cx.text(last + 1).into_owned())?;
    let quote = usize::from(doc.is(last + 2, "\""));
    let value = last + 2 + quote;
    let text = doc.tokens.get(value).map(|_| cx.text(value).into_owned())?;
    let becomes = match holds_on_amd(&operator, &text)? {
        true => "TRUE",
        false => "FALSE",
    };
    let range = doc.range(first, value + quote);
    let message = format!(
        "`{}` compares releases of CUDA: {becomes} on AMD",
        cx.text_of(range)
    );
    let edit = Edit::replace(range, becomes);
    let finding = RULE.finding(range, message).help(
        "ROCm offers the interfaces of CUDA 12; compare `hip_VERSION` if the release matters",
    );
    Some(match fix(doc, Applicability::Review, vec![edit]) {
        Some(fix) => finding.fix(fix),
        None => finding,
    })
}

/// The variables to which the list gives a release of CUDA and nothing else: `set(toolkit ${CMAKE_CUDA_COMPILER_VERSION})`.
fn release_variables<'s>(cx: &BuildContext<'_, 's>) -> FxHashSet<&'s [u8]> {
    let doc = cx.doc;
    let is_release = |command: &Command| {
        let mut words = (command.open + 2..command.close).filter(|&at| doc.is_ident(at));
        let value = words.next().filter(|&at| names_release(doc.bytes(at)));
        let range = value.and_then(|value| whole_argument(cx, value));
        range.is_some_and(|range| doc.token_at(range.start) == command.open + 2)
    };
    let sets = |command: &&Command| is_called(doc, command, "set");
    let (mut releases, mut others) = (FxHashSet::default(), FxHashSet::default());
    for command in doc.commands().iter().filter(sets) {
        let known = if is_release(command) {
            &mut releases
        } else {
            &mut others
        };
        known.insert(doc.bytes(command.open + 1));
    }
    releases.retain(|name| !others.contains(name));
    releases
}

/// Whether a variable is one in which CMake has the release of CUDA.
fn names_release(word: &[u8]) -> bool {
    matches!(
        word,
        b"CUDAToolkit_VERSION"
            | b"CUDA_VERSION"
            | b"CUDA_VERSION_STRING"
            | b"CMAKE_CUDA_COMPILER_VERSION"
    )
}

/// What a comparison of CUDA's release with one comes to where all that CUDA 12 has is covered.
fn holds_on_amd(operator: &str, release: &str) -> Option<bool> {
    const COVERED: f64 = 12.9;
    let mut parts = release.splitn(3, '.');
    let number: f64 = [parts.next()?, ".", parts.next().unwrap_or("0")]
        .concat()
        .parse()
        .ok()?;
    let is_covered = number <= COVERED;
    match operator.trim_start_matches("VERSION_") {
        "LESS" | "LESS_EQUAL" => Some(!is_covered),
        "GREATER" | "GREATER_EQUAL" => Some(is_covered),
        "EQUAL" => Some(false),
        _ => None,
    }
}

/// `set(CMAKE_CUDA_COMPILER …)`: CMake finds AMD's by itself, and the compiler that is set there is nvcc.
fn compiler_choice(
    cx: &BuildContext<'_, '_>,
    all: &[Command],
    index: TokenIndex,
) -> Option<Finding> {
    let command = command_around(all, index).filter(|command| command.open + 1 == index)?;
    if !chooses_compiler(cx.doc, command) {
        return None;
    }
    let range = cx
        .doc
        .range(command.name, command.close.min(cx.doc.tokens.len() - 1));
    let message = format!(
        "`{}` chooses a compiler for CUDA: CMake finds that of HIP by itself",
        cx.text(index)
    );
    // An empty branch is one that CMake takes.
    let finding = RULE.finding(range, message).help("leave it out");
    Some(
        match fix(cx.doc, Applicability::Review, vec![deletion(cx.doc, range)]) {
            Some(fix) => finding.fix(fix).severity(Severity::Info),
            None => finding,
        },
    )
}

/// `set(CMAKE_CUDA_ARCHITECTURES 70 80)` where it is known for which chips to build.
fn architectures(cx: &BuildContext<'_, '_>, index: TokenIndex) -> Option<Finding> {
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
    // A value with a variable in it is not known here.
    let is_whole =
        last + 1 >= cx.doc.tokens.len() || !is_joined(cx.doc, last + 1) || cx.doc.is(last + 1, ")");
    if !is_whole {
        return None;
    }
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
    let fix = fix(cx.doc, Applicability::Safe, vec![edit])?;
    Some(finding.fix(fix).severity(Severity::Info))
}
