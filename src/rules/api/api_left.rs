//! A name of CUDA that is left in the result without another finding about it.
//!
//! ## Why on AMD
//! The result is read once more after translation. Whatever the tables know as CUDA's and the other rules passed over is named
//! here, so that nothing is left behind in silence.
//!
//! ## Example
//! ```cuda
//! #define CAT(a, b) a##b
//! CAT(cuda, Free)(p);      // never seen: no such name stands in the text
//! wrapper.call(cudaFree);  // seen
//! ```
//!
//! ## When to ignore
//! When the name is meant to stay.
//!
//! ## Source
//! The output itself.

use crate::rules::prelude::*;

/// Reports what the second reading found.
pub static RULE: Rule = Rule {
    code: "CASS005",
    severity: Severity::Error,
    fix: None,
    priority: 90,
    facts: &[Fact::DoneByShim],
    checks: &[Check::Event(check)],
};

fn check(event: &Event<'_>) -> Option<Finding> {
    let &Event::NameLeft { range, entry, api } = event else {
        return None;
    };
    let counterpart =
        |hip: &str| format!("its counterpart is `{hip}`; check whether the name is meant to stay");
    let help = match (entry.note, entry.hip) {
        (Some(note), _) => note.to_owned(),
        (None, hip) => hip.map_or_else(String::new, counterpart),
    };
    let finding = RULE.finding(range, format!("`{}` is left in the output", entry.cuda));
    Some(finding.help(help).api(api))
}
