//! What the tokens of one file tell: declarations, types, constant values, names, statements, conditions.

pub mod arithmetic;
pub(crate) mod both_builds;
pub(crate) mod build_edit;
pub mod build_file;
pub mod cmake;
pub mod coined;
pub mod conditions;
pub mod cooperative_groups;
pub mod declarations;
pub mod definitions;
pub mod deletion;
pub mod functions;
pub(crate) mod guarding;
pub mod hip_sources;
pub mod lanes;
pub(crate) mod make;
pub mod names;
pub mod statements;
pub mod texture_uses;
pub mod threads;
pub mod value;
pub mod waits;
