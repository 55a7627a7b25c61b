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

use crate::analysis::build_files::is_renamed;
use crate::build::words::{fix, words};
use crate::rules::prelude::*;

/// Writes the new names.
pub static RULE: Rule = Rule {
    code: "CASS627",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::ForServedBuild],
    checks: &[Check::BuildFile(check)],
};

fn check(cx: &mut BuildContext<'_, '_>) {
    if !cx.project.paths.has_renames() {
        return;
    }
    let found: Vec<TokenIndex> = words(cx.doc).filter(|&at| is_renamed(cx, at)).collect();
    for index in found {
        let end = cx.range(index).end;
        let range = TextRange::new(end - 2, end);
        let message = format!("`{}` is called `.hip` in the output", cx.text(index));
        let finding = RULE.finding(cx.range(index), message);
        let finding = match fix(
            cx.doc,
            Applicability::Safe,
            vec![Edit::replace(range, "hip")],
        ) {
            Some(fix) => finding.fix(fix).severity(Severity::Info),
            None => finding.help("write the new name"),
        };
        cx.report(finding);
    }
}
