//! Decides: reads a unit, dispatches the rules, resolves their fixes, looks for leftovers.

mod amd_branches;
mod amd_warps;
mod around;
mod both_builds;
mod both_vendors;
mod callers;
mod changed_lines;
mod commands;
mod cuda_fortran;
mod device_module;
pub(crate) mod dialect;
mod dialect_choice;
pub(crate) mod dispatch;
mod embedded;
pub mod example;
mod fragments;
#[cfg(test)]
mod growth;
mod kept;
mod leftovers;
mod module_imports;
mod module_kind;
mod notebook;
mod outcome;
pub mod policy;
#[cfg(test)]
pub(crate) mod probe;
mod regression;
pub(crate) mod route;
mod run_rules;
mod scripts;
pub mod session;
mod settle;
pub(crate) mod suppression;
pub mod translate;
mod vendor_code;
mod verdict;

pub(crate) use device_module::{is_made_into_another, made, made_name};
pub use dialect_choice::DialectChoice;
pub(crate) use module_imports::{imports_of, made_where};
pub use outcome::FileOutcome;
pub use policy::{RuleChoice, RulePolicy, RuleSettings};
pub(crate) use route::is_opaque;
pub use session::{Session, file_index};
pub(crate) use suppression::hide_suppressed;
pub use suppression::{annotated, suppressing, without_annotations};
pub use translate::translate;
