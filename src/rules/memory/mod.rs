//! Memory: LDS, pointers, caches, layouts.
//!
//! The list is written by `cargo xtask rules`: a new rule is a new file.

pub mod device_pointer;
pub mod field_order;
pub mod lds_limit;
pub mod managed_memory;
pub mod memory_location;
pub mod performance_hint;
pub mod read_only_load;
pub mod wide_vector;

/// The rules of this folder, by file name.
#[rustfmt::skip]
pub(super) static RULES: &[(&str, &super::Rule)] = &[
    ("device-pointer", &device_pointer::RULE),
    ("field-order", &field_order::RULE),
    ("lds-limit", &lds_limit::RULE),
    ("managed-memory", &managed_memory::RULE),
    ("memory-location", &memory_location::RULE),
    ("performance-hint", &performance_hint::RULE),
    ("read-only-load", &read_only_load::RULE),
    ("wide-vector", &wide_vector::RULE),
];
