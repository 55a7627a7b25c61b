//! A name of CUDA that HIP or a ROCm library has under another name, with the same meaning.
//!
//! ## Why on AMD
//! ROCm's libraries offer the same functions under names of their own. The tables of `mappings/` say which, since which
//! release, and what happens to the arguments.
//!
//! ## Example
//! ```cuda
//! cudaMalloc(&p, n);
//! ```
//! becomes
//! ```hip
//! hipMalloc(&p, n);
//! ```
//!
//! ## When to ignore
//! Never: the rename is safe. Names that the project defines itself are left alone without being asked.
//!
//! ## Source
//! The ROCm headers; each line of `mappings/` names its release.

use crate::analysis::rename::renamed_with;
use crate::rules::prelude::*;

/// Applies table entries with full support.
pub static RULE: Rule = Rule {
    code: "CASS001",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::Reversible, Fact::PutsNames, Fact::DoneByShim],
    checks: &[Check::Api(check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    if let Some(finding) = renamed_with(cx, index, Support::Full, RULE.id()) {
        cx.report(finding);
    }
}
