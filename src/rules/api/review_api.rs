//! A name of CUDA whose counterpart on AMD is not quite the same.
//!
//! ## Why on AMD
//! The counterpart takes other arguments, supports fewer cases, or needs a step that CUDA does not. The help text of the finding
//! says what to look at.
//!
//! ## Example
//! ```cuda
//! cudnnConvolutionForward(h, &a, xd, x, wd, w, cd, algo, ws, n, &b, yd, y);
//! ```
//! MIOpen requires a Find step before the first `miopenConvolutionForward` and takes the workspace last.
//!
//! ## When to ignore
//! Once the call has been reviewed and found right.
//!
//! ## Source
//! The notes in `mappings/`.

use crate::analysis::rename::renamed_with;
use crate::rules::prelude::*;

/// Applies table entries that ask for review.
pub static RULE: Rule = Rule {
    code: "CASS002",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    facts: &[
        Fact::DecidedByPort,
        Fact::Reversible,
        Fact::PutsNames,
        Fact::DoneByShim,
    ],
    checks: &[Check::Api(check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    if let Some(finding) = renamed_with(cx, index, Support::Review, RULE.id()) {
        cx.report(finding);
    }
}
