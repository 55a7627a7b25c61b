//! A variable, property or command of CMake that is about CUDA: in a list, in a command to cmake, in a preset.
//!
//! ## Why on AMD
//! `CMAKE_CUDA_FLAGS`, `CUDA_STANDARD`, `CUDAToolkit_INCLUDE_DIRS`, `cuda_add_executable` and the like mean nothing to the language HIP,
//! which has words of its own for most of them. `mappings/build.toml` has the list. The architectures follow `--target`. What is empty
//! on AMD leaves the lists of folders, as CMake refuses `include_directories("")`.
//!
//! In a command, `cmake -DCMAKE_CUDA_COMPILER=…` chooses a program of a language that the list no longer has, and folders of the toolkit
//! mean nothing to ROCm's packages: such an argument goes. In a preset it stays, as do architectures without `--target`, and
//! `other-build` says so.
//!
//! ## Example
//! ```cmake
//! set(CMAKE_CUDA_STANDARD 17)
//! ```
//! becomes
//! ```cmake
//! set(CMAKE_HIP_STANDARD 17)
//! ```
//! and `cmake -B build -DCMAKE_CUDA_COMPILER=nvcc -DCMAKE_CUDA_FLAGS=-O3` becomes `cmake -B build -DCMAKE_HIP_FLAGS=-O3`.
//!
//! ## When to ignore
//! In branches, scripts and presets for builds that stay on NVIDIA.
//!
//! ## Source
//! CMake 3.21: `CMAKE_HIP_*`, `HIP_ARCHITECTURES`, `cmake-presets(7)`; `hip-config.cmake` of ROCm 6.4.

use rustc_hash::FxHashSet;

use crate::build::cmake::{chooses_compiler, enables_cuda};
use crate::build::cmake_reference::{is_linked_before, reference, whole_argument};
use crate::build::cmake_release::{comparison, release_variables};
use crate::build::command::{Command, command_around, is_called};
use crate::build::deletion::deletion;
use crate::build::find_cuda::{options, runtime};
use crate::build::hip_sources::folder_from;
use crate::build::presets;
use crate::build::words::{
    argument, fix, indent, is_in_prose, is_joined, is_quoted, line_of, words,
};
use crate::mapping::{BuildTable, BuildWord};
use crate::options::Vendors;
use crate::rules::prelude::*;

/// Writes the words of the language HIP.
pub static RULE: Rule = Rule {
    code: "CASS628",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::TookOver(&[
        ("CASS636", "cmake-argument"),
        ("CASS638", "cmake-preset"),
    ])],
    checks: &[
        Check::BuildFile(check_list),
        Check::BuildFile(check_commands),
        Check::OtherBuildFile(check_presets),
    ],
};

fn check_list(cx: &mut BuildContext<'_, '_>) {
    if cx.doc.tool != BuildTool::CMake {
        return;
    }
    let found: Vec<TokenIndex> = words(cx.doc)
        .filter(|&at| !is_in_prose(cx.doc, at))
        .collect();
    let all = cx.doc.commands();
    let releases = release_variables(cx.doc);
    for index in found {
        if let Some(command) = release_taken(cx, all, index) {
            // What is said of the name is said of the value.
            if index == command.open + 1 {
                let finding = of_taken_release(cx, command);
                cx.report(finding);
            }
            continue;
        }
        let finding = architectures(cx, index)
            .or_else(|| of_release(cx, index, &releases))
            .or_else(|| compiler_choice(cx, all, index))
            .or_else(|| by_table(cx, all, index));
        if let Some(finding) = finding {
            cx.report(finding);
        }
    }
}

/// Arguments of cmake in scripts and Makefiles, `-DCMAKE_CUDA_FLAGS=-O3`.
fn check_commands(cx: &mut BuildContext<'_, '_>) {
    if !matches!(cx.doc.tool, BuildTool::Make | BuildTool::Shell) {
        return;
    }
    let set: Vec<TokenIndex> = words(cx.doc)
        .filter(|&at| cx.doc.bytes(at).starts_with(b"-DC") && is_for_cmake(cx.doc, at))
        .filter(|&at| cx.doc.is(at + 1, "=") && !is_in_prose(cx.doc, at))
        .collect();
    for at in set {
        if let Some(finding) = of_argument(cx, at) {
            cx.report(finding);
        }
    }
}

/// Variables in presets, `"CMAKE_CUDA_STANDARD": "17"`.
fn check_presets(cx: &mut BuildContext<'_, '_>) {
    if cx.options().vendors == Vendors::Both {
        return;
    }
    for entry in presets::entries(cx.doc) {
        if let Some(finding) = of_preset(cx, &entry) {
            cx.report(finding);
        }
    }
}

/// What the table says of a word.
fn by_table(cx: &BuildContext<'_, '_>, all: &[Command], index: TokenIndex) -> Option<Finding> {
    let word = cx.text(index).into_owned();
    if let Some(finding) = source_of_cuda(cx, index) {
        return Some(finding);
    }
    let (entry, becomes) = match is_command(all, index) {
        true => command_by_table(&word)?,
        false => BuildTable::builtin().cmake(&word)?,
    };
    if is_pattern(cx, all, index) {
        return None;
    }
    if word.ends_with("SEPARABLE_COMPILATION") && is_read(cx, all) {
        return None;
    }
    let range = cx.range(index);
    let Some(becomes) = becomes else {
        let is_own = cx.doc.fact(Looked::new).0.contains(cx.doc.bytes(index));
        return (!is_own).then(|| without_effect(cx, all, index, &entry.advice));
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
            reference(cx.doc, index).unwrap_or(range),
            takes_items(cx, all, index),
        ),
        false => (range, true),
    };
    let becomes = of_build(cx, becomes);
    if is_meant && is_linked_before(cx.doc, index, &becomes) {
        return Some(linked_already(cx, range, &becomes));
    }
    let mut edits = vec![Edit::replace(range, becomes)];
    edits.extend(vendor(cx, index));
    edits.extend(linked(cx, all, index, entry));
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

/// FindCUDA's property that makes a source of C++ one of CUDA, `PROPERTIES CUDA_SOURCE_PROPERTY_FORMAT OBJ`.
fn source_of_cuda(cx: &BuildContext<'_, '_>, index: TokenIndex) -> Option<Finding> {
    const PROPERTY: &str = "CUDA_SOURCE_PROPERTY_FORMAT";
    let format = index + 1;
    let is_meant = cx.doc.is(index, PROPERTY) && cx.doc.is(format, "OBJ");
    let range = is_meant.then(|| cx.doc.range(index, format))?;
    let message = format!("`{PROPERTY} OBJ` becomes `LANGUAGE HIP`");
    let finding = RULE.finding(range, message);
    let edit = Edit::replace(range, "LANGUAGE HIP");
    Some(match fix(cx.doc, Applicability::Safe, vec![edit]) {
        Some(fix) => finding.fix(fix).severity(Severity::Info),
        None => finding.help("write `LANGUAGE HIP`"),
    })
}

/// Whether a word is the name of a command.
fn is_command(all: &[Command], index: TokenIndex) -> bool {
    all.binary_search_by_key(&index, |command| command.name)
        .is_ok()
}

/// What the table says of a command, whose name CMake reads in any case: `CUDA_ADD_LIBRARY` becomes `ADD_LIBRARY`.
fn command_by_table(name: &str) -> Option<(&'static BuildWord, Option<String>)> {
    let (entry, becomes) = BuildTable::builtin().cmake(&name.to_ascii_lowercase())?;
    let is_upper = !name.bytes().any(|byte| byte.is_ascii_lowercase());
    let spelt = becomes.map(|command| match is_upper {
        true => command.to_ascii_uppercase(),
        false => command,
    });
    Some((entry, spelt))
}

/// `cuda_add_cublas_to_target(a)`: the target that is linked stands in the command now.
fn linked(
    cx: &BuildContext<'_, '_>,
    all: &[Command],
    index: TokenIndex,
    entry: &BuildWord,
) -> Option<Edit> {
    let command = command_around(all, index + 2).filter(|_| !entry.links.is_empty())?;
    let close = cx.doc.tokens.get(command.close)?;
    Some(Edit::insert(close.start, format!(" {}", entry.links)))
}

/// The variables in which a list keeps what it looks for itself: `find_library(CUDA_RUNTIME_LIBRARY cudart)`.
struct Looked(FxHashSet<Box<[u8]>>);

impl Looked {
    fn new(doc: &BuildFile<'_>) -> Self {
        const FINDERS: &[&str] = &["find_file", "find_library", "find_path", "find_program"];
        let finds = |command: &&Command| FINDERS.iter().any(|name| is_called(doc, command, name));
        let commands = doc.commands().iter().filter(finds);
        let variables = commands.map(|command| command.open + 1);
        let known = variables.filter(|&at| at < doc.tokens.len());
        Self(known.map(|at| Box::from(doc.bytes(at))).collect())
    }
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
    let word = cx.text(index);
    let is_read = index > 1 && cx.doc.is(index - 1, "{") && cx.doc.is(index - 2, "$");
    let message = match is_command(all, index) {
        true => format!("`{word}` is a command for CUDA, and the HIP language has none like it"),
        false if is_read => format!("`{word}` is empty in a build without CUDA"),
        false => format!("`{word}` has no effect on the HIP language"),
    };
    let finding = RULE.finding(cx.range(index), message).help(advice);
    let takes = |command: &&Command| TAKING.iter().any(|name| is_called(cx.doc, command, name));
    let is_taken = command_around(all, index).filter(takes).is_some();
    let item =
        whole_argument(cx.doc, index).filter(|_| is_taken && advice.starts_with("leave it out"));
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
    let range = reference(cx.doc, index).filter(|_| is_meant)?;
    let message = format!("`{}` becomes the file of HIP's runtime", cx.text_of(range));
    let finding = RULE.finding(cx.range(index), message);
    let edit = Edit::replace(range, FILE);
    Some(match fix(cx.doc, Applicability::Safe, vec![edit]) {
        Some(fix) => finding.fix(fix).severity(Severity::Info),
        None => finding,
    })
}

/// Whether a word is part of what is looked for in the text of a file or variable, `file(STRINGS cuda.h LINE REGEX "CUDA_VERSION")`.
fn is_pattern(cx: &BuildContext<'_, '_>, all: &[Command], index: TokenIndex) -> bool {
    let looks = |command: &&Command| {
        ["file", "string"]
            .iter()
            .any(|name| is_called(cx.doc, command, name))
    };
    let is_in_text = is_quoted(cx.doc, index) && reference(cx.doc, index).is_none();
    is_in_text && command_around(all, index).filter(looks).is_some()
}

/// Whether the function that stands where CUDA was enabled reads the property.
fn is_read(cx: &BuildContext<'_, '_>, all: &[Command]) -> bool {
    all.iter().any(|command| enables_cuda(cx.doc, command))
        || cx.project.builds.lists.has_parent(&cx.doc.source.path)
}

/// The program with what the build needs: sources that stay as they are find HIP by the headers under CUDA's names.
fn of_build(cx: &BuildContext<'_, '_>, becomes: String) -> String {
    if becomes != "hipcc" || cx.options().vendors != Vendors::Both {
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
    reference(cx.doc, index).is_some()
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

/// The command around a word that takes CUDA's release over, `set(CUDA_VERSION ${CMAKE_CUDA_COMPILER_VERSION})`.
fn release_taken<'a>(
    cx: &BuildContext<'_, '_>,
    all: &'a [Command],
    index: TokenIndex,
) -> Option<&'a Command> {
    const NAMES: &[&str] = &["CUDA_VERSION", "CUDA_VERSION_STRING"];
    const VALUES: &[&str] = &["CMAKE_CUDA_COMPILER_VERSION", "CUDAToolkit_VERSION"];
    let command = command_around(all, index).filter(|it| it.close < cx.doc.tokens.len())?;
    let name = command.open + 1;
    let is_one_of = |at: TokenIndex, words: &[&str]| words.iter().any(|it| cx.doc.is(at, it));
    let mut value = (name + 1..command.close)
        .filter(|&at| !matches!(cx.doc.bytes(at), b"$" | b"{" | b"}" | b"\""));
    let is_taken = is_called(cx.doc, command, "set")
        && is_one_of(name, NAMES)
        && value.next().is_some_and(|at| is_one_of(at, VALUES))
        && value.next().is_none();
    is_taken.then_some(command)
}

/// What is said of such a command: HIP's package sets the variable that takes the place of its own, and the compiler's is empty.
fn of_taken_release(cx: &BuildContext<'_, '_>, command: &Command) -> Finding {
    let range = cx.doc.range(command.name, command.close);
    let message = format!(
        "`{}` becomes `hip_VERSION`, which the package of HIP sets",
        cx.text(command.open + 1)
    );
    let finding = RULE
        .finding(range, message)
        .help("leave it out; versions of HIP count from 6, not from 12: look at what is compared");
    let edit = deletion(cx.doc, range);
    match fix(cx.doc, Applicability::Review, vec![edit]) {
        Some(fix) => finding.fix(fix),
        None => finding,
    }
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

/// A comparison with a release of CUDA.
fn of_release(
    cx: &BuildContext<'_, '_>,
    index: TokenIndex,
    variables: &FxHashSet<&[u8]>,
) -> Option<Finding> {
    let (range, holds) = comparison(cx.doc, index, variables)?;
    let becomes = if holds { "TRUE" } else { "FALSE" };
    let message = format!(
        "`{}` compares releases of CUDA: {becomes} on AMD",
        cx.text_of(range)
    );
    let edit = Edit::replace(range, becomes);
    let finding = RULE.finding(range, message).help(
        "ROCm offers the interfaces of CUDA 12; compare `hip_VERSION` if the release matters",
    );
    Some(match fix(cx.doc, Applicability::Review, vec![edit]) {
        Some(fix) => finding.fix(fix),
        None => finding,
    })
}

/// Whether the command around a word is cmake's.
fn is_for_cmake(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let is_cmake = |at: TokenIndex| {
        let word = doc.bytes(at).to_ascii_lowercase();
        word.ends_with(b"cmake") || word.ends_with(b"cmake3")
    };
    (line_of(doc, at)..at).any(is_cmake)
}

fn of_argument(cx: &BuildContext<'_, '_>, at: TokenIndex) -> Option<Finding> {
    let word = cx.text(at).into_owned();
    let name = word.strip_prefix("-D")?;
    let last = argument(cx.doc, at).map_or(at + 1, |value| value.end - 1);
    let whole = cx.doc.range(at, last);
    if name == "CMAKE_CUDA_ARCHITECTURES" {
        return Some(chips_of_argument(cx, whole));
    }
    let table = BuildTable::builtin();
    let (entry, _) = table.cmake(name)?;
    let range = cx.range(at);
    if let Some(becomes) = table.hip_variable(name) {
        let message = format!("`{name}` becomes `{becomes}`");
        let edit = Edit::replace(range, format!("-D{becomes}"));
        return Some(mended(cx, range, message, edit, "write HIP's variable"));
    }
    let message = format!("`{name}` has no effect on the language HIP");
    Some(match entry.of_toolkit {
        true => mended(cx, whole, message, deletion(cx.doc, whole), "leave it out"),
        false => RULE.finding(range, message).help(entry.advice.as_str()),
    })
}

fn mended(
    cx: &BuildContext<'_, '_>,
    range: TextRange,
    message: String,
    edit: Edit,
    help: &'static str,
) -> Finding {
    let finding = RULE.finding(range, message).help(help);
    match fix(cx.doc, Applicability::Safe, vec![edit]) {
        Some(fix) => finding.fix(fix).severity(Severity::Info),
        None => finding,
    }
}

/// The chips of `--target` for those of an argument; of several the list needs quotes of its own, which a script may have used already.
fn chips_of_argument(cx: &BuildContext<'_, '_>, whole: TextRange) -> Finding {
    let message = "`CMAKE_CUDA_ARCHITECTURES` names NVIDIA architectures".to_owned();
    let help = "set CMAKE_HIP_ARCHITECTURES to the chips you build for, as gfx90a;gfx942";
    match cx.options().targets.as_slice() {
        [chip] => {
            let edit = Edit::replace(whole, format!("-DCMAKE_HIP_ARCHITECTURES={chip}"));
            mended(cx, whole, message, edit, help)
        }
        _ => RULE.finding(whole, message).help(help),
    }
}

fn of_preset(cx: &BuildContext<'_, '_>, entry: &presets::Entry) -> Option<Finding> {
    const CHIPS: &str = "CMAKE_CUDA_ARCHITECTURES";
    let range = cx.range(entry.name);
    let name = cx.text(entry.name);
    let targets = &cx.options().targets;
    let chips = entry.value.filter(|_| name == CHIPS && !targets.is_empty());
    let (becomes, message) = match chips {
        Some(_) => {
            let becomes = "CMAKE_HIP_ARCHITECTURES".to_owned();
            let message = format!("`{CHIPS}` becomes `{becomes}`, for the chips of --target");
            (becomes, message)
        }
        None => {
            let becomes = BuildTable::builtin().hip_variable(&name)?;
            let message = format!("`{name}` becomes `{becomes}`");
            (becomes, message)
        }
    };
    let mut edits = vec![Edit::replace(range, becomes)];
    edits.extend(chips.map(|value| Edit::replace(value, targets.join(";"))));
    let finding = RULE.finding(range, message).severity(Severity::Info);
    Some(finding.fix(Fix::safe(edits)))
}
