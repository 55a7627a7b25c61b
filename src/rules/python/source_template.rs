//! CUDA source in a Python string that the program completes: an f-string, `%`, `.format`, `.replace`, a template.
//!
//! ## Why on AMD
//! The parts around the holes are translated; what fills them is not seen. A type, a name or a number needs nothing; code of CUDA in a
//! hole reaches AMD's compiler as it is, and a text that `.replace` looks for may be called otherwise now. Other strings of the file with
//! types of CUDA are named, for the program may put them together with the translated ones.
//!
//! ## Example
//! ```python
//! code = "__global__ void scale(%(type)s *x) { x[threadIdx.x] *= 2; }" % {"type": name}
//! ```
//!
//! ## When to ignore
//! Once it is known what fills the holes. Numbers that the module gives to constants, `f"int SIZE = {SIZE};"` behind `SIZE = 256`, give no
//! finding.
//!
//! ## Source
//! Python documentation, `str.format` and printf-style formatting.

use crate::mapping::ApiTable;
use crate::python::{Node, embedded, may_embed};
use crate::rules::prelude::*;

/// Reports sources with holes.
pub static RULE: Rule = Rule {
    code: "CASS661",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Python(&[], check)],
};

fn check(cx: &mut PythonContext<'_, '_>) {
    if !may_embed(&cx.source.bytes) {
        return;
    }
    let strings = cx.strings();
    let table = cx.table();
    let mut findings: Vec<Finding> = Vec::new();
    let sources = embedded(strings).sources;
    let read = sources.iter().flat_map(|it| it.text.quoted.origins());
    let mut read: Vec<TextRange> = read.collect();
    read.sort_unstable_by_key(|it| it.start);
    for source in &sources {
        let quoted = &source.text.quoted;
        if source.text.is_template && table.may_occur_in(quoted.text()) {
            let start = quoted.extent().start;
            let finding = RULE
                .finding(TextRange::at(start), "this CUDA source is completed at run time: its parts are translated, what fills them is not")
                .severity(match is_instantiation(quoted.text()) {
                    true => Severity::Info,
                    false => RULE.severity,
                })
                .help("check what fills the placeholders: a number or a name of the project's own needs nothing, a type or a name of CUDA's is to be HIP's");
            findings.push(finding);
        }
    }
    findings.dedup_by_key(|finding| finding.range);
    let loud = |it: &Finding| it.severity != Severity::Info;
    if findings.iter().any(loud) {
        findings.extend(left(cx, &read));
    }
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// What is said of strings with types of CUDA that belong to no source which is translated: they may be put together with one that is, and
/// the whole is of neither vendor.
fn left(cx: &PythonContext<'_, '_>, read: &[TextRange]) -> Option<Finding> {
    let file = cx.file();
    let is_docs = |node: &Node<'_>| {
        let around = node.parent();
        around.is_none_or(|it| it.kind() == "expression_statement")
    };
    let strings = file.all(&["string"]).into_iter();
    let places: Vec<TextRange> = strings
        .filter(|node| !is_docs(node) && names_type(cx.table(), cx.source.slice(file.range(*node))))
        .map(|node| file.range(node))
        .filter(|range| {
            let next = read.partition_point(|it| it.end <= range.start);
            read.get(next).is_none_or(|it| it.start >= range.end)
        })
        .collect();
    let first = *places.first()?;
    let more = match places.len() {
        1 => String::new(),
        all => format!(" (the first of {all} such strings)"),
    };
    let message = format!("this string names types of CUDA and stays as it is{more}");
    let help = "other strings of the file become HIP: where these are put together with them, write HIP's types here as well";
    Some(RULE.finding(first, message).help(help))
}

/// Whether a text has a word that is a type of CUDA's and called otherwise in HIP.
fn names_type(table: &ApiTable, text: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut words = text.split(|byte| !is_part(byte));
    words.any(|word| {
        let hit = table.get(word).map(|hit| hit.entry);
        hit.is_some_and(|it| it.kind == Kind::Type && !it.is_unchanged() && !it.context)
    })
}

/// Whether a text only asks for an instance of a template that is translated where it stands: `extern template void f<{}>(…);`.
fn is_instantiation(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let behind = text
        .strip_prefix(b"extern ")
        .unwrap_or(text)
        .strip_prefix(b"template ");
    behind.is_some_and(|it| !it.trim_ascii_start().starts_with(b"<"))
}
