//! Programs in Python: CUDA in strings, PyTorch, TensorFlow, Triton, Numba.
//!
//! The list is written by `cargo xtask rules`: a new rule is a new file.

pub mod hidden_failure;
pub mod load_inline_call;
pub mod missing_torch_api;
pub mod pycuda_package;
pub mod runtime_option;
pub mod source_in_string;
pub mod source_template;
pub mod stream_without_wait;

/// The rules of this folder, by file name.
#[rustfmt::skip]
pub(super) static RULES: &[(&str, &super::Rule)] = &[
    ("hidden-failure", &hidden_failure::RULE),
    ("load-inline-call", &load_inline_call::RULE),
    ("missing-torch-api", &missing_torch_api::RULE),
    ("pycuda-package", &pycuda_package::RULE),
    ("runtime-option", &runtime_option::RULE),
    ("source-in-string", &source_in_string::RULE),
    ("source-template", &source_template::RULE),
    ("stream-without-wait", &stream_without_wait::RULE),
];
