//! PyTorch extensions: build scripts in Python, and what PyTorch's own build for ROCm does not do.
//!
//! The list is written by `cargo xtask rules`: a new rule is a new file.

pub mod capability_gate;
pub mod constant_min_max;
pub mod cuda_home;
pub mod deprecated_torch;
pub mod extension_library;
pub mod extension_macro;
pub mod extension_option;
pub mod host_header;
pub mod jit_header;
pub mod left_behind;
pub mod nvcc_version;
pub mod other_build_file;
pub mod renamed_condition;
pub mod renamed_launch;
pub mod unrenamed_build;

/// The rules of this folder, by file name.
#[rustfmt::skip]
pub(super) static RULES: &[(&str, &super::Rule)] = &[
    ("capability-gate", &capability_gate::RULE),
    ("constant-min-max", &constant_min_max::RULE),
    ("cuda-home", &cuda_home::RULE),
    ("deprecated-torch", &deprecated_torch::RULE),
    ("extension-library", &extension_library::RULE),
    ("extension-macro", &extension_macro::RULE),
    ("extension-option", &extension_option::RULE),
    ("host-header", &host_header::RULE),
    ("jit-header", &jit_header::RULE),
    ("left-behind", &left_behind::RULE),
    ("nvcc-version", &nvcc_version::RULE),
    ("other-build-file", &other_build_file::RULE),
    ("renamed-condition", &renamed_condition::RULE),
    ("renamed-launch", &renamed_launch::RULE),
    ("unrenamed-build", &unrenamed_build::RULE),
];
