//! Preprocessor conditions about compilers, versions and architectures.
//!
//! The list is written by `cargo xtask rules`: a new rule is a new file.

pub mod arch_condition;
pub mod cuda_compiler_condition;
pub mod cuda_version_condition;
pub mod host_twin;
pub mod project_macro;

/// The rules of this folder, by file name.
#[rustfmt::skip]
pub(super) static RULES: &[(&str, &super::Rule)] = &[
    ("arch-condition", &arch_condition::RULE),
    ("cuda-compiler-condition", &cuda_compiler_condition::RULE),
    ("cuda-version-condition", &cuda_version_condition::RULE),
    ("host-twin", &host_twin::RULE),
    ("project-macro", &project_macro::RULE),
];
