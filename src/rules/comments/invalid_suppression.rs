//! A `// cass:` comment that cannot be read, that names a rule which does not exist, or that switches off and never on again.
//!
//! ## Why on AMD
//! A misspelt code suppresses nothing, and a list without brackets would suppress everything. Neither is what its author meant.
//! An `off` without `on` silences what is added to the file later.
//!
//! ## Example
//! ```cuda
//! cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, n);  // cass: ignore[CASS0003] we do without
//! ```
//!
//! ## When to ignore
//! Never: correct the comment. `// cass: on` in the last line, or `ignore-file[CODE]`, says that the rest of the file is meant.
//!
//! ## Source
//! The comments of the file; see `src/rules/suppress/mod.rs`.

use crate::rules::prelude::*;

/// Reports comments that cannot be read.
pub static RULE: Rule = Rule {
    code: "CASS702",
    severity: Severity::Warning,
    fix: None,
    priority: 90,
    facts: &[Fact::AboutComments],
    checks: &[Check::Event(check)],
};

fn check(event: &Event<'_>) -> Option<Finding> {
    let Event::InvalidComment { range, problem } = event else {
        return None;
    };
    Some(RULE.finding(*range, problem.clone()).help(
        "write `// cass: ignore[CODE] reason`, `ignore-next-line[CODE]`, `ignore-file[CODE]`, or `off[CODE]` with `on` behind the code",
    ))
}
