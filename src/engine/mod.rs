//! Decides: reads a unit, dispatches the rules, resolves their fixes, looks for leftovers.

mod amd_branches;
mod both_builds;
mod both_vendors;
pub mod changed_lines;
pub mod dialect;
pub mod dispatch;
mod embedded;
pub mod example;
#[cfg(test)]
mod growth;
mod judge;
mod kept;
pub mod leftovers;
mod lost_fixes;
mod not_compiled;
mod notebook;
mod outcome;
pub mod policy;
pub mod regression;
mod resolve;
mod run_rules;
mod same_problem;
pub mod session;
pub mod suppression;
pub mod translate;
pub mod vendor_code;

pub use dialect::DialectChoice;
pub use outcome::FileOutcome;
pub use policy::{RuleChoice, RulePolicy, RuleSettings};
pub use session::{Session, file_index};
pub use suppression::{annotated, hide_suppressed, suppressing, without_annotations};
pub use translate::translate;
