//! Comments to this tool.
//!
//! The list is written by `cargo xtask rules`: a new rule is a new file.

pub mod invalid_suppression;
pub mod merge_conflict;
pub mod unused_suppression;

/// The rules of this folder, by file name.
#[rustfmt::skip]
pub(super) static RULES: &[(&str, &super::Rule)] = &[
    ("invalid-suppression", &invalid_suppression::RULE),
    ("merge-conflict", &merge_conflict::RULE),
    ("unused-suppression", &unused_suppression::RULE),
];
