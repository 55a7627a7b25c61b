//! A `// cass:` comment that suppresses nothing.
//!
//! ## Why on AMD
//! A suppression that is no longer needed hides the next problem on its line. It is left over when code was changed, when a newer
//! release of this tool converts the call, or when the comment stands on the wrong line.
//!
//! ## Example
//! ```cuda
//! cudaMalloc(&p, n);  // cass: ignore[CASS003] checked by hand
//! ```
//! `cudaMalloc` converts safely, so there is nothing to ignore.
//!
//! ## When to ignore
//! In code that is checked with several `--target` or `--rocm` values, of which only some have the finding.
//!
//! ## Source
//! The comments of the file; see `src/rules/suppress/mod.rs`.

use crate::rules::prelude::*;

/// Reports comments that nothing needed.
pub static RULE: Rule = Rule {
    code: "CASS701",
    severity: Severity::Warning,
    fix: Some(Applicability::Manual),
    priority: 90,
    facts: &[Fact::NvccReadsResult, Fact::AboutComments],
    checks: &[Check::Event(check)],
};

fn check(event: &Event<'_>) -> Option<Finding> {
    let &Event::UselessComment {
        range,
        comment,
        word,
    } = event
    else {
        return None;
    };
    // The fix is only shown: conversion does not touch comments.
    Some(match word {
        None => RULE
            .finding(range, "this comment suppresses nothing")
            .help("remove it, or move it to the line of the finding")
            .fix(Fix::manual(vec![Edit::delete(comment)])),
        Some(word) => RULE
            .finding(
                range,
                format!("there is no finding of `{word}` to suppress here"),
            )
            .help("remove it from the brackets, or the comment when nothing is left in them"),
    })
}
