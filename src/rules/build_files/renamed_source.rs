//! A build file that names a source which changes its name.
//!
//! ## Why on AMD
//! With `--naming hip` a `.cu` file is called `.hip` in the output. Build files that list it, and pattern rules for `%.cu`, follow.
//!
//! ## Example
//! ```make
//! main.o: main.cu
//! ```
//! becomes
//! ```make
//! main.o: main.hip
//! ```
//!
//! ## When to ignore
//! Never: the file is not there under its old name.
//!
//! ## Source
//! This tool's `--naming`.

use crate::cpp::build_file::{fix, words};
use crate::rules::prelude::*;

/// Writes the new names.
pub static RULE: Rule = Rule {
    code: "CASS627",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    triggers: &[Trigger::BuildFile],
    check,
};

fn check(_: At<'_>, cx: &mut Context<'_, '_>) {
    if !cx.session.project.has_renames() {
        return;
    }
    let found: Vec<TokenIndex> = words(cx.doc).filter(|&at| is_renamed(cx, at)).collect();
    for index in found {
        let end = cx.range(index).end;
        let range = TextRange::new(end - 2, end);
        let message = format!("`{}` is called `.hip` in the output", cx.text(index));
        let finding = RULE.finding(cx.range(index), message);
        let finding = match fix(cx, Applicability::Safe, vec![Edit::replace(range, "hip")]) {
            Some(fix) => finding.fix(fix).severity(Severity::Info),
            None => finding.help("write the new name"),
        };
        cx.report(finding);
    }
}

/// Whether a word is a file of the tree that is renamed, or stands for all of them: `%.cu`, `*.cu`, `.cu`.
pub(crate) fn is_renamed(cx: &Context<'_, '_>, at: TokenIndex) -> bool {
    let word = cx.text(at);
    let Some(stem) = word.strip_suffix(".cu") else {
        return false;
    };
    let project = &cx.session.project;
    let is_pattern = stem.is_empty() || stem.ends_with(['%', '*']);
    let file = || project.resolve(&cx.doc.source.path, &word);
    is_pattern && project.has_renames()
        || file().is_some_and(|file| project.renamed(file).is_some())
}
