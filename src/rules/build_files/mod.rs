//! Build files: compilers, options, chips, libraries, languages.

pub mod both_vendors;
pub mod c_dialect;
pub mod cmake_language;
pub mod cmake_package;
pub mod cmake_probe;
pub mod cmake_search;
pub mod cmake_word;
pub mod container_image;
pub mod cuda_folder;
pub mod cuda_source;
pub mod defined_value;
pub mod device_link;
pub mod foreign_call;
pub mod gpu_architecture;
pub mod language_standard;
pub mod link_library;
pub mod not_compiled;
pub mod nvcc_command;
pub mod nvcc_option;
pub mod nvidia_tool;
pub mod object_order;
pub mod other_build;
pub mod renamed_source;
pub mod written_program;
