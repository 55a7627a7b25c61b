//! A `.cu` file in a CMake build.
//!
//! ## Why on AMD
//! CMake takes only `.hip` files for HIP by themselves. A `.cu` file needs the property `LANGUAGE`, or it is left out of the build in
//! silence. Sources come to a target by name, variable, glob, function or `target_sources`: a function that CMake calls when all
//! targets are known sets the property on each, and gives host sources beside them HIP's headers. It stands behind the command that
//! enabled CUDA. Separable compilation and the flags of FindCUDA, which the language HIP knows nothing of, are applied there too.
//!
//! ## Example
//! ```cmake
//! add_executable(x main.cu)
//! ```
//! becomes
//! ```cmake
//! set_source_files_properties(main.cu PROPERTIES LANGUAGE HIP)
//! add_executable(x main.cu)
//! ```
//!
//! ## When to ignore
//! When the property is set elsewhere for all sources.
//!
//! ## Source
//! CMake 3.21, `CMAKE_HIP_SOURCE_FILE_EXTENSIONS`, the source file property `LANGUAGE`, `cmake_language(DEFER)`.

use crate::analysis::build_files::is_renamed;
use crate::build::cmake::enables_cuda;
use crate::build::command::{Command, is_called};
use crate::build::hip_sources::{Host, function, include, names_of_host};
use crate::build::words::{fix, indent, is_joined, words};
use crate::options::Vendors;
use crate::rules::prelude::*;
use crate::text::next_line;

/// Sets the property on all sources where CUDA was enabled, else in front of the target.
pub static RULE: Rule = Rule {
    code: "CASS625",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 20,
    facts: &[],
    checks: &[Check::BuildFile(check)],
};

const TARGETS: &[&str] = &[
    "add_executable",
    "add_library",
    "cuda_add_executable",
    "cuda_add_library",
];
const LISTS: &[&str] = &["set", "list", "file", "target_sources"];

fn check(cx: &mut BuildContext<'_, '_>) {
    if cx.doc.tool != BuildTool::CMake {
        return;
    }
    let all = cx.doc.commands();
    let enabling = all.iter().find(|command| enables_cuda(cx.doc, command));
    if let Some(command) = enabling {
        return defer(cx, command);
    }
    // The list above, which enables the language, has the function that comes by all sources.
    if cx.project.builds.lists.has_parent(&cx.doc.source.path) {
        return;
    }
    one_by_one(cx, all);
}

fn defer(cx: &mut BuildContext<'_, '_>, command: &Command) {
    let range = cx.range(command.name);
    let is_old = is_called(cx.doc, command, "find_package");
    let all = cx.doc.commands();
    let finds = all.iter().any(|command| {
        let package = cx.doc.bytes(command.open + 1);
        is_called(cx.doc, command, "find_package") && matches!(package, b"CUDAToolkit" | b"CUDA")
    });
    let path = &cx.doc.source.path;
    let folder = path.rfind('/').map_or("", |at| &path[..=at]);
    let host = cx.project.hipcc_sources_below(folder);
    let is_marked = is_old && cx.doc.source.mentions("CUDA_SOURCE_PROPERTY_FORMAT");
    let mut text = function(
        is_old,
        Host {
            named: !host.is_empty(),
            marked: is_marked,
        },
    );
    if cx.options().vendors == Vendors::Both {
        text = format!("{}\n", include(&cx.doc.source.path));
    } else if !finds {
        text.insert_str(0, "find_package(hip REQUIRED)\n");
    }
    text.insert_str(0, &names_of_host(&host));
    let blanks = indent(cx.doc, command.name).unwrap_or_default();
    let lines = text
        .lines()
        .map(|line| format!("{blanks}{line}{}", cx.doc.newline()));
    let text: String = lines.collect();
    let bytes = &cx.doc.source.bytes;
    let close = cx.range(command.close.min(cx.doc.tokens.len() - 1)).end;
    let edit = match next_line(bytes, close) {
        Some(at) => Edit::insert(at, text),
        None => Edit::insert(bytes.len() as u32, format!("{}{text}", cx.doc.newline())),
    };
    let message = "`.cu` files of all targets become sources of HIP here";
    let help = "set the source file property LANGUAGE to HIP for each `.cu` file";
    let mut finding = RULE.finding(range, message).help(help);
    if let Some(fix) = fix(cx.doc, Applicability::Safe, vec![edit]) {
        finding = finding.fix(fix).severity(Severity::Info);
    }
    cx.report(finding);
}

/// Where no list of the tree enables CUDA: sources that targets name.
fn one_by_one(cx: &mut BuildContext<'_, '_>, all: &[Command]) {
    let marked = marked(cx.doc, all);
    let mut told: Vec<String> = Vec::new();
    for command in all {
        let mut sources: Vec<String> = (command.open..command.close)
            .filter(|&at| is_source(cx.doc, at) && !is_renamed(cx, at))
            .map(|at| cx.text(at).into_owned())
            .filter(|source| !marked.contains(source))
            .collect();
        sources.dedup();
        sources.retain(|source| !told.contains(source));
        let is_one_of = |names: &[&str]| names.iter().any(|name| is_called(cx.doc, command, name));
        if sources.is_empty() {
            continue;
        }
        if is_one_of(TARGETS) {
            report(cx, command, &sources);
            told.extend(sources);
        } else if is_one_of(LISTS) {
            report_list(cx, command);
        }
    }
}

fn report(cx: &mut BuildContext<'_, '_>, command: &Command, sources: &[String]) {
    let range = cx.range(command.name);
    let property = format!(
        "set_source_files_properties({} PROPERTIES LANGUAGE HIP)",
        sources.join(" ")
    );
    let message = "CMake compiles `.cu` files as CUDA only";
    let mut finding = RULE.finding(range, message).help(format!("`{property}`"));
    if let Some(blanks) = indent(cx.doc, command.name) {
        let line = format!("{property}{}{blanks}", cx.doc.newline());
        let edit = Edit::insert(range.start, line);
        if let Some(fix) = fix(cx.doc, Applicability::Safe, vec![edit]) {
            finding = finding.fix(fix).severity(Severity::Info);
        }
    }
    cx.report(finding);
}

fn report_list(cx: &mut BuildContext<'_, '_>, command: &Command) {
    let variable = (command.open + 1..command.close)
        .find(|&at| !matches!(cx.doc.bytes(at), b"GLOB" | b"GLOB_RECURSE" | b"APPEND"));
    let name = variable.map_or_else(String::new, |at| cx.text(at).into_owned());
    let message = "CMake compiles `.cu` files as CUDA only";
    let help = format!(
        "set_source_files_properties(… PROPERTIES LANGUAGE HIP) for the `.cu` files of `{name}`"
    );
    cx.report(RULE.finding(cx.range(command.name), message).help(help));
}

/// Sources whose language is set by the file itself.
fn marked(doc: &BuildFile<'_>, all: &[Command]) -> Vec<String> {
    all.iter()
        .filter(|command| is_called(doc, command, "set_source_files_properties"))
        .filter(|command| {
            words(doc)
                .any(|at| (command.open..command.close).contains(&at) && doc.is(at, "LANGUAGE"))
        })
        .flat_map(|command| command.open..command.close)
        .filter(|&at| is_source(doc, at))
        .map(|at| doc.source.text(doc.tokens[at].range()).into_owned())
        .collect()
}

/// A source by its whole name: what stands behind a variable, as in `${t}.cu`, is no name.
fn is_source(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let is_whole = !is_joined(doc, at) || doc.is_before(at, "(") || doc.is_before(at, "\"");
    doc.is_ident(at) && is_whole && doc.bytes(at).ends_with(b".cu")
}
