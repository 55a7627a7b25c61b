//! An include of a file that changes its name with `--naming hip`.
//!
//! ## Why on AMD
//! `.cu` files become `.hip` files; whoever includes one must follow, also where two files include each other.
//!
//! ## Example
//! ```cuda
//! #include "kernels.cu"
//! ```
//! becomes
//! ```hip
//! #include "kernels.hip"
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! The tree itself.

use crate::rules::prelude::*;

/// Follows renamed files.
pub static RULE: Rule = Rule {
    code: "CASS010",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 30,
    facts: &[Fact::Reversible, Fact::DoneByTorch],
    checks: &[Check::Include(check)],
};

fn check(include: &Include, cx: &mut Context<'_, '_>) {
    let path = cx.text_of(include.path).replace('\\', "/");
    let project = &cx.project;
    let Some(new) = project
        .paths
        .resolve(&cx.doc.source.path, &path)
        .and_then(|file| project.paths.renamed(file))
    else {
        return;
    };
    let new_name = new.rsplit('/').next().unwrap_or(new).to_owned();
    let old_len = path.rsplit('/').next().unwrap_or(&path).len() as u32;
    let range = TextRange::new(include.path.end - old_len, include.path.end);
    let message = format!("`{path}` is called `{new_name}` in the output");
    cx.report(
        RULE.finding(include.directive, message)
            .fix(Fix::safe(vec![Edit::replace(range, new_name)])),
    );
}
