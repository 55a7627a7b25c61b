//! The architectures of NVIDIA that a build file compiles for.
//!
//! ## Why on AMD
//! `-arch=sm_80` and `-gencode arch=compute_80,code=sm_80` name chips of NVIDIA. hipcc takes `--offload-arch` with those of AMD:
//! the ones given by `--target`, or `native`, which asks the GPU of the machine that compiles. CMake gives the option itself, by
//! CMAKE_HIP_ARCHITECTURES: in its lists the option goes where no chip was named, as clang would take both, and `native` ends the build
//! on a machine without a GPU.
//!
//! ## Example
//! ```make
//! CFLAGS += -arch=sm_80
//! ```
//! becomes
//! ```make
//! CFLAGS += --offload-arch=native
//! ```
//!
//! ## When to ignore
//! Never: the option is refused.
//!
//! ## Source
//! `nvcc --help` of CUDA 12.9; clang 19, `--offload-arch`; HIPCC documentation (ROCm 6.4).

use crate::build::amd_tools::is_script_for_both;
use crate::build::command::{Command, command_around, is_called};
use crate::build::deletion::deletion;
use crate::build::generator::emptied;
use crate::build::removal::emptied_argument;
use crate::build::words::{CHIP_OPTIONS, argument, fix, is_in_prose, passed_on, range_of, words};
use crate::rules::prelude::*;

/// Writes `--offload-arch`, once where several stand in one line.
pub static RULE: Rule = Rule {
    code: "CASS622",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::BuildFile(check)],
};

const WITHOUT_GPU: &str = "an image and a job have no GPU to ask for its chip: name those that the program is for, as --target does";

/// What asks for the GPU of the machine that compiles.
const NATIVE: &str = "--offload-arch=native";

fn check(cx: &mut BuildContext<'_, '_>) {
    if is_script_for_both(cx.doc) {
        return;
    }
    let found = options(cx);
    for (at, option) in found.iter().enumerate() {
        let starts_line = |token: TokenIndex| cx.doc.tokens[token].has(flags::LINE_START);
        let of_line =
            |earlier: &(TokenIndex, TokenIndex)| !(earlier.0 + 1..=option.0).any(starts_line);
        let is_first = at == 0 || !of_line(&found[at - 1]);
        let is_alone = is_first
            && found
                .get(at + 1)
                .is_none_or(|next| (option.0 + 1..=next.0).any(starts_line));
        report(cx, *option, is_first, is_alone);
    }
}

/// First and last token of each option that names chips of NVIDIA.
fn options(cx: &BuildContext<'_, '_>) -> Vec<(TokenIndex, TokenIndex)> {
    const CHIPS: &[&str] = &["sm_", "compute_", "lto_"];
    const ANY: &[&str] = &["native", "all", "$"];
    let names_chip = |at: TokenIndex, value: &std::ops::Range<TokenIndex>| {
        let text = cx.text_of(range_of(cx.doc, value));
        // `-arch $(ARCH)` is another compiler's, unless the variable says a chip of NVIDIA.
        let is_nvccs =
            cx.doc.is(at + 1, "=") || !cx.doc.is(at, "-arch") || is_chosen(cx.doc, value);
        CHIPS.iter().any(|chip| text.contains(chip))
            || is_nvccs && ANY.iter().any(|chip| text.starts_with(chip))
    };
    let passed = passed_on(cx.doc);
    words(cx.doc)
        .filter(|&at| CHIP_OPTIONS.iter().any(|option| cx.doc.is(at, option)))
        .filter(|&at| !is_in_prose(cx.doc, at) && !passed.contains(&at))
        .filter_map(|at| {
            Some((
                at,
                argument(cx.doc, at).filter(|value| names_chip(at, value))?,
            ))
        })
        .map(|(at, value)| (at, value.end - 1))
        .collect()
}

fn report(
    cx: &mut BuildContext<'_, '_>,
    (first, last): (TokenIndex, TokenIndex),
    is_first: bool,
    is_alone: bool,
) {
    let range = cx.doc.range(first, last);
    let message = format!("`{}` names NVIDIA architectures", cx.text_of(range));
    let (target, mut edits) = offload(cx, first, last);
    let is_cmakes = target == NATIVE && is_given_by_cmake(cx.doc, first);
    if is_cmakes {
        edits = vec![taken_out(cx.doc, first..last + 1)];
    } else if is_first {
        edits.push(Edit::replace(range, target.clone()));
    } else {
        edits = vec![deletion(cx.doc, range)];
    }
    let finding = RULE.finding(range, message).help(match is_cmakes {
        true => "CMake gives the chips of CMAKE_HIP_ARCHITECTURES: name there those that the program is for".to_owned(),
        false => format!("use `{target}`, or the targets that the program is for"),
    });
    // One warning a line: the other chips go with the first.
    let finding = if is_first {
        finding
    } else {
        finding.severity(Severity::Info)
    };
    // One chip for one; of several the person has to say which.
    let is_sure = is_alone && cx.doc.bytes(first).ends_with(b"arch");
    let applicability = if is_sure {
        Applicability::Safe
    } else {
        Applicability::Review
    };
    let finding = match fix(cx.doc, applicability, edits) {
        Some(fix) if is_sure => finding.fix(fix).severity(Severity::Info),
        Some(fix) => finding.fix(fix),
        None => finding,
    };
    cx.report(match cx.without_gpu {
        true => finding.severity(Severity::Warning).help(WITHOUT_GPU),
        false => finding,
    });
}

/// The options that name the chips to compile for, and what changes with them: `ARCH = sm_80`, where the option is `-arch=$(ARCH)`.
fn offload(cx: &BuildContext<'_, '_>, first: TokenIndex, last: TokenIndex) -> (String, Vec<Edit>) {
    let targets = &cx.options().targets;
    let chip = targets.first().map_or("native", String::as_str).to_owned();
    let assigned = (first + 1..=last).find(|&at| cx.doc.is_ident(at));
    let assigned = assigned.map_or_else(Vec::new, |name| assignments(cx.doc, name));
    if targets.len() < 2 && !assigned.is_empty() {
        let edit = |at: &TokenIndex| Edit::replace(cx.range(*at), chip.clone());
        let variable = cx.text_of(cx.doc.range(first + 2, last)).into_owned();
        return (
            format!("--offload-arch={variable}"),
            assigned.iter().map(edit).collect(),
        );
    }
    if targets.is_empty() {
        return (NATIVE.to_owned(), Vec::new());
    }
    let options: Vec<String> = targets
        .iter()
        .map(|chip| format!("--offload-arch={chip}"))
        .collect();
    (options.join(" "), Vec::new())
}

/// Takes an option out, with the generator expression or the command that would be empty without it.
fn taken_out(doc: &BuildFile<'_>, option: std::ops::Range<TokenIndex>) -> Edit {
    let goes = |at: TokenIndex| (at == option.start).then_some(option.len());
    let item = emptied(doc, option.start, &goes).unwrap_or(option);
    let whole = emptied_argument(doc, &item).unwrap_or(item);
    let range = range_of(doc, &whole);
    // The blanks behind this keyword change with it.
    match doc.is_before(whole.start, "OPTIONS") {
        true => Edit::delete(range),
        false => deletion(doc, range),
    }
}

/// Whether CMake itself tells the compiler the chips, where an option stands: it does for its own targets, not for the commands that a
/// list writes out.
fn is_given_by_cmake(doc: &BuildFile<'_>, option: TokenIndex) -> bool {
    if doc.tool != BuildTool::CMake {
        return false;
    }
    let is_run = command_around(doc.commands(), option).is_some_and(|command| runs(doc, command));
    // What a variable holds may reach each of the commands that are run.
    !is_run && !doc.fact(CallsCompiler::new).0
}

/// Whether a command of CMake runs a program.
fn runs(doc: &BuildFile<'_>, command: &Command) -> bool {
    ["add_custom_command", "add_custom_target", "execute_process"]
        .iter()
        .any(|name| is_called(doc, command, name))
}

/// Whether the list itself runs a compiler of device code.
struct CallsCompiler(bool);

impl CallsCompiler {
    fn new(doc: &BuildFile<'_>) -> Self {
        let is_compiler = |at: TokenIndex| {
            matches!(
                doc.bytes(at),
                b"nvcc"
                    | b"hipcc"
                    | b"CUDA_NVCC_EXECUTABLE"
                    | b"CMAKE_CUDA_COMPILER"
                    | b"CMAKE_HIP_COMPILER"
                    | b"NVCC"
            )
        };
        let mut all = doc.commands().iter().filter(|it| runs(doc, it));
        Self(all.any(|it| (it.open..it.close.min(doc.tokens.len())).any(is_compiler)))
    }
}

/// Whether a value is a variable that the file sets to such a chip.
fn is_chosen(doc: &BuildFile<'_>, value: &std::ops::Range<TokenIndex>) -> bool {
    let name = value.clone().find(|&at| doc.is_ident(at));
    name.is_some_and(|name| !assignments(doc, name).is_empty())
}

/// The chips that a variable of this name is set to, if that is all it is ever used for.
fn assignments(doc: &BuildFile<'_>, name: TokenIndex) -> Vec<TokenIndex> {
    let is_chip = |at: &TokenIndex| doc.bytes(*at).starts_with(b"sm_");
    let is_use = |at: TokenIndex| doc.is_before(at, "(") || doc.is_before(at, "{");
    let word = doc.bytes(name);
    if *doc.noted("use of a variable", word, is_use) != [name] {
        return Vec::new();
    }
    let places = doc.noted("place of a variable", word, |at| !is_use(at));
    places
        .iter()
        .copied()
        .filter_map(|at| {
            let equals = (at + 1..at + 3).find(|&at| doc.is(at, "="))?;
            Some(equals + 1).filter(is_chip)
        })
        .collect()
}
