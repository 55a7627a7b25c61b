//! A macro that the command line sets to a name of CUDA.
//!
//! ## Why on AMD
//! `-DTYPE=__nv_bfloat16` hands a name to a source that does not hold it: the source is translated, and the macro still stands for what
//! AMD's headers do not declare. PyTorch's build for ROCm translates sources as well, and no value of a macro.
//!
//! ## Example
//! ```cmake
//! target_compile_definitions(kit PRIVATE TYPE=__nv_bfloat16)
//! ```
//! becomes
//! ```cmake
//! target_compile_definitions(kit PRIVATE TYPE=__hip_bfloat16)
//! ```
//!
//! ## When to ignore
//! When the sources that ask for the macro are compiled for NVIDIA alone.
//!
//! ## Source
//! HIP 6.4, `hip/hip_bf16.h`; `BuildExtension._hipify_compile_flags` of PyTorch 2.11.

use rustc_hash::FxHashSet;

use crate::analysis::include_paths::values_of;
use crate::build::command::{Command, command_around};
use crate::build::words::{fix, is_in_prose, words};
use crate::mapping::{ApiTable, TorchTable};
use crate::python::{Literal, Node, PyFile, parents};
use crate::rules::prelude::*;

/// Gives the macro AMD's name.
pub static RULE: Rule = Rule {
    code: "CASS751",
    severity: Severity::Error,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::BuildFile(check), Check::Extension(of_extension)],
};

fn check(cx: &mut BuildContext<'_, '_>) {
    let values: Vec<TokenIndex> = words(cx.doc).filter(|&at| is_value(cx.doc, at)).collect();
    let commands = match cx.doc.tool {
        BuildTool::CMake if !values.is_empty() => cx.doc.commands(),
        _ => &[],
    };
    let define: Vec<Command> = commands
        .iter()
        .copied()
        .filter(|it| defines(cx.doc, it))
        .collect();
    for at in values {
        let is_defined = is_option(cx.doc, at - 2) || command_around(&define, at).is_some();
        let name = cx.text(at);
        let becomes = renamed(cx.table(), &name).filter(|_| is_defined);
        if let Some(becomes) = becomes.filter(|_| !is_in_prose(cx.doc, at)) {
            let finding = finding(cx.range(at), &cx.text(at - 2), &name, becomes);
            let edits = vec![Edit::replace(cx.range(at), becomes)];
            cx.report(match fix(cx.doc, Applicability::Safe, edits) {
                Some(fix) => finding.severity(Severity::Info).fix(fix),
                None => finding,
            });
        }
    }
}

/// Whether a word stands behind `NAME=`.
fn is_value(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    at > 1 && doc.is(at - 1, "=") && doc.is_ident(at - 2)
}

/// Whether a word defines a macro for a compiler: `-DNAME`.
fn is_option(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    doc.bytes(at).starts_with(b"-D") || at > 0 && doc.is(at - 1, "-D")
}

/// Whether a command of CMake gives definitions: `target_compile_definitions(kit PRIVATE NAME=value)`.
fn defines(doc: &BuildFile<'_>, command: &Command) -> bool {
    const DEFINE: &[&[u8]] = &[
        b"target_compile_definitions",
        b"add_compile_definitions",
        b"add_definitions",
    ];
    const PROPERTY: &[u8] = b"COMPILE_DEFINITIONS";
    let name = doc.bytes(command.name).to_ascii_lowercase();
    DEFINE.contains(&&*name) || (command.open..command.close).any(|it| doc.bytes(it) == PROPERTY)
}

/// What a name of CUDA is called on AMD, where it is another one and means the same; a namespace is the word for a choice as well,
/// `-DBACKEND=cub`.
fn renamed(table: &ApiTable, name: &str) -> Option<&'static str> {
    let entry = table.get(name.as_bytes())?.entry;
    let is_name = entry.kind != Kind::Namespace && entry.support == Support::Full && !entry.context;
    entry.hip.filter(|it| is_name && *it != entry.cuda)
}

fn finding(range: TextRange, macro_name: &str, name: &str, becomes: &str) -> Finding {
    let macro_name = macro_name.strip_prefix("-D").unwrap_or(macro_name);
    let message = format!("`{macro_name}` is set to `{name}`, which is `{becomes}` on AMD");
    RULE.finding(range, message)
        .help(format!("set it to `{becomes}` for AMD"))
}

fn of_extension(cx: &mut PythonContext<'_, '_>) {
    let file = cx.file();
    let table = cx.table;
    let strings = file.all(&["string"]).into_iter();
    let found: Vec<Finding> = strings
        .flat_map(|it| {
            let of_own = of_option(file, table, it).or_else(|| of_pair(file, table, it));
            of_own.into_iter().chain(of_hole(file, table, it))
        })
        .collect();
    let mut told = FxHashSet::default();
    let found = found.into_iter().filter(|it| told.insert(it.range));
    found.for_each(|finding| cx.report(finding));
}

/// `"-DTYPE=__nv_bfloat16"`.
fn of_option(file: &PyFile<'_>, table: &ApiTable, node: Node<'_>) -> Option<Finding> {
    let literal = Literal::new(file, node)?;
    let (option, name) = literal.text.split_once('=')?;
    let is_open = || option.starts_with("-D") && file.side(node).is_none();
    let becomes = renamed_by_torch(table, name).filter(|_| is_open())?;
    let text = literal.quoted(&format!("{option}={becomes}"));
    Some(of_both(file, node, (option, name, becomes), &text))
}

/// `define_macros=[("TYPE", "__nv_bfloat16")]`.
fn of_pair(file: &PyFile<'_>, table: &ApiTable, node: Node<'_>) -> Option<Finding> {
    let literal = Literal::new(file, node)?;
    let becomes = renamed_by_torch(table, &literal.text)?;
    let pair = node.parent().filter(|it| it.kind() == "tuple")?;
    let first = file.elements(pair).first().copied();
    let name = Literal::new(file, first.filter(|it| *it != node)?)?.text;
    let is_macros = |it: Node<'_>| {
        let keyword = it.child_by_field_name("name");
        keyword.is_some_and(|it| file.text(it) == "define_macros")
    };
    parents(pair).take(2).find(|it| is_macros(*it))?;
    if file.side(node).is_some() {
        return None;
    }
    let text = literal.quoted(becomes);
    Some(of_both(file, node, (&name, &literal.text, becomes), &text))
}

/// The names that a hole of an option is filled from, `f"-DTYPE={TYPES[dtype]}"`: what the variables in it are given.
fn of_hole(file: &PyFile<'_>, table: &ApiTable, node: Node<'_>) -> Vec<Finding> {
    let Some(literal) = Literal::new(file, node).filter(|it| it.has_holes) else {
        return Vec::new();
    };
    let Some((option, "{}")) = literal.text.split_once('=') else {
        return Vec::new();
    };
    if !option.starts_with("-D") || option.contains('{') {
        return Vec::new();
    }
    let variables = file.all_below(node, &["identifier"]).into_iter();
    let given = variables.flat_map(|it| values_of(file, &file.text(it)));
    let names = given.flat_map(|it| file.all_below(it, &["string"]));
    names
        .filter_map(|name| {
            let given = Literal::new(file, name)?;
            // Whom a place is for takes longest to find out.
            let becomes = renamed_by_torch(table, &given.text)?;
            let becomes = Some(becomes).filter(|_| file.side(name).is_none())?;
            let text = given.quoted(becomes);
            Some(of_both(file, name, (option, &given.text, becomes), &text))
        })
        .collect()
}

/// What PyTorch's hipify calls a name of CUDA: a source has that one when it is compiled. It renames words such as `CUDA` and `cudnn` as
/// well, which are no names of an API.
fn renamed_by_torch(table: &ApiTable, name: &str) -> Option<&'static str> {
    let entry = table.get(name.as_bytes())?.entry;
    let is_name = entry.kind != Kind::Namespace && !entry.context;
    TorchTable::builtin().target(name).filter(|_| is_name)
}

/// A finding with AMD's text where the program runs on it.
fn of_both(
    file: &PyFile<'_>,
    node: Node<'_>,
    (option, name, becomes): (&str, &str, &str),
    text: &str,
) -> Finding {
    let finding = finding(file.range(node), option, name, becomes);
    let is_part = node
        .parent()
        .is_some_and(|it| it.kind() == "concatenated_string");
    let Some(question) = file.question(node).filter(|_| !is_part) else {
        return finding;
    };
    let choice = format!("{text} if {} else ", question.text);
    let mut edits = vec![Edit::insert(file.range(node).start, choice)];
    if let Some((at, line)) = &question.import {
        edits.push(Edit::insert(*at, line.clone()));
    }
    finding.severity(Severity::Info).fix(Fix::safe(edits))
}
