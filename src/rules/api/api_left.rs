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

/// Reports what the second reading found. The engine calls it, not a trigger.
pub static RULE: Rule = Rule {
    code: "CASS005",
    severity: Severity::Error,
    fix: None,
    priority: 90,
    triggers: &[],
    check: |_, _| {},
};

/// The finding for a name that was left at `range`.
pub fn finding(range: TextRange, entry: &ApiEntry, api: ApiUse) -> Finding {
    let help = entry.note.map_or_else(
        || {
            entry.hip.map_or_else(String::new, |hip| {
                format!("its counterpart is `{hip}`; check whether the name is meant to stay")
            })
        },
        str::to_owned,
    );
    RULE.finding(range, format!("`{}` is left in the output", entry.cuda))
        .help(help)
        .api(api)
}
