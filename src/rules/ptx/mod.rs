//! Inline assembly.
//!
//! The list is written by `cargo xtask rules`: a new rule is a new file.

pub mod inline_ptx_manual;
pub mod inline_ptx_translated;

/// The rules of this folder, by file name.
#[rustfmt::skip]
pub(super) static RULES: &[(&str, &super::Rule)] = &[
    ("inline-ptx-manual", &inline_ptx_manual::RULE),
    ("inline-ptx-translated", &inline_ptx_translated::RULE),
];
