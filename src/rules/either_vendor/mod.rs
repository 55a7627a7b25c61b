//! Code that fails on NVIDIA's GPUs as well: off unless it is asked for.
//!
//! The list is written by `cargo xtask rules`: a new rule is a new file.

pub mod hidden_failure;
pub mod load_inline_call;
pub mod missing_torch_api;
pub mod stream_without_wait;

/// The rules of this folder, by file name.
#[rustfmt::skip]
pub(super) static RULES: &[(&str, &super::Rule)] = &[
    ("hidden-failure", &hidden_failure::RULE),
    ("load-inline-call", &load_inline_call::RULE),
    ("missing-torch-api", &missing_torch_api::RULE),
    ("stream-without-wait", &stream_without_wait::RULE),
];
