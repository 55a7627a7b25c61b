//! Build files: compilers, options, chips, libraries, languages.
//!
//! The list is written by `cargo xtask rules`: a new rule is a new file.

pub mod both_vendors;
pub mod c_dialect;
pub mod cmake_argument;
pub mod cmake_language;
pub mod cmake_package;
pub mod cmake_preset;
pub mod cmake_probe;
pub mod cmake_search;
pub mod cmake_word;
pub mod container_image;
pub mod cuda_folder;
pub mod cuda_source;
pub mod device_link;
pub mod gpu_architecture;
pub mod link_library;
pub mod not_compiled;
pub mod nvcc_command;
pub mod nvcc_option;
pub mod object_order;
pub mod other_build;
pub mod renamed_source;

/// The rules of this folder, by file name.
#[rustfmt::skip]
pub(super) static RULES: &[(&str, &super::Rule)] = &[
    ("both-vendors", &both_vendors::RULE),
    ("c-dialect", &c_dialect::RULE),
    ("cmake-argument", &cmake_argument::RULE),
    ("cmake-language", &cmake_language::RULE),
    ("cmake-package", &cmake_package::RULE),
    ("cmake-preset", &cmake_preset::RULE),
    ("cmake-probe", &cmake_probe::RULE),
    ("cmake-search", &cmake_search::RULE),
    ("cmake-word", &cmake_word::RULE),
    ("container-image", &container_image::RULE),
    ("cuda-folder", &cuda_folder::RULE),
    ("cuda-source", &cuda_source::RULE),
    ("device-link", &device_link::RULE),
    ("gpu-architecture", &gpu_architecture::RULE),
    ("link-library", &link_library::RULE),
    ("not-compiled", &not_compiled::RULE),
    ("nvcc-command", &nvcc_command::RULE),
    ("nvcc-option", &nvcc_option::RULE),
    ("object-order", &object_order::RULE),
    ("other-build", &other_build::RULE),
    ("renamed-source", &renamed_source::RULE),
];
