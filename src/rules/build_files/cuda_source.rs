//! A `.cu` file in a CMake list.
//!
//! ## Why on AMD
//! CMake takes only `.hip` files for HIP by themselves. A `.cu` file needs the property, or it is left out of the build in silence
//! where the language CUDA is not enabled.
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
//! When the property is set elsewhere in the same folder, for all sources.
//!
//! ## Source
//! CMake 3.21, `CMAKE_HIP_SOURCE_FILE_EXTENSIONS` and the source file property `LANGUAGE`.

use crate::analysis::build_file::is_renamed;
use crate::cpp::build_file::{Command, commands, indent, is_called, tool, words};
use crate::rules::prelude::*;

/// Sets the property in front of the target; sources in variables are reported.
pub static RULE: Rule = Rule {
    code: "CASS625",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 20,
    triggers: &[Trigger::BuildFile],
    check,
};

const TARGETS: &[&str] = &[
    "add_executable",
    "add_library",
    "cuda_add_executable",
    "cuda_add_library",
];
const LISTS: &[&str] = &["set", "list", "file", "target_sources"];

fn check(_: At<'_>, cx: &mut Context<'_, '_>) {
    if tool(cx.doc) != BuildTool::CMake {
        return;
    }
    let all = commands(cx.doc);
    let marked = marked(cx.doc, &all);
    let mut told: Vec<String> = Vec::new();
    for command in &all {
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

fn report(cx: &mut Context<'_, '_>, command: &Command, sources: &[String]) {
    let range = cx.range(command.name);
    let property = format!(
        "set_source_files_properties({} PROPERTIES LANGUAGE HIP)",
        sources.join(" ")
    );
    let message = "CMake compiles `.cu` files as CUDA only";
    let mut finding = RULE.finding(range, message).help(format!("`{property}`"));
    if let Some(blanks) = indent(cx.doc, command.name) {
        let line = format!("{property}{}{blanks}", cx.doc.newline());
        let fix = Fix::safe(vec![Edit::insert(range.start, line)]);
        finding = finding.fix(fix).severity(Severity::Info);
    }
    cx.report(finding);
}

fn report_list(cx: &mut Context<'_, '_>, command: &Command) {
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
fn marked(doc: &Document<'_>, all: &[Command]) -> Vec<String> {
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

fn is_source(doc: &Document<'_>, at: TokenIndex) -> bool {
    doc.is_ident(at) && doc.bytes(at).ends_with(b".cu")
}
