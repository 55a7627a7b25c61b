//! Inline assembly, and modules of it.
//!
//! The list is written by `cargo xtask rules`: a new rule is a new file.

pub mod device_module;
pub mod inline_ptx_manual;
pub mod inline_ptx_translated;
pub mod module_function;

/// The rules of this folder, by file name.
#[rustfmt::skip]
pub(super) static RULES: &[(&str, &super::Rule)] = &[
    ("device-module", &device_module::RULE),
    ("inline-ptx-manual", &inline_ptx_manual::RULE),
    ("inline-ptx-translated", &inline_ptx_translated::RULE),
    ("module-function", &module_function::RULE),
];
