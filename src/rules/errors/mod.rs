//! Error codes and other values that HIP numbers differently.
//!
//! The list is written by `cargo xtask rules`: a new rule is a new file.

pub mod device_name;
pub mod error_case;
pub mod exact_error;
pub mod last_error;
pub mod memory_type_number;
pub mod runtime_version;

/// The rules of this folder, by file name.
#[rustfmt::skip]
pub(super) static RULES: &[(&str, &super::Rule)] = &[
    ("device-name", &device_name::RULE),
    ("error-case", &error_case::RULE),
    ("exact-error", &exact_error::RULE),
    ("last-error", &last_error::RULE),
    ("memory-type-number", &memory_type_number::RULE),
    ("runtime-version", &runtime_version::RULE),
];
