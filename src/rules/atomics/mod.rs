//! Atomic operations: scopes, types, functions that programs define again.
//!
//! The list is written by `cargo xtask rules`: a new rule is a new file.

pub mod atomic_block_scope;
pub mod atomic_redefinition;
pub mod atomic_type;
pub mod nv_atomic;
pub mod system_scope;

/// The rules of this folder, by file name.
#[rustfmt::skip]
pub(super) static RULES: &[(&str, &super::Rule)] = &[
    ("atomic-block-scope", &atomic_block_scope::RULE),
    ("atomic-redefinition", &atomic_redefinition::RULE),
    ("atomic-type", &atomic_type::RULE),
    ("nv-atomic", &nv_atomic::RULE),
    ("system-scope", &system_scope::RULE),
];
