//! What the words of a build file tell: a CMake list, a Makefile, a script, a container's image, a preset.

pub(crate) mod amd_tools;
pub mod cmake;
pub(crate) mod cmake_reference;
pub(crate) mod cmake_release;
pub(crate) mod command;
pub(crate) mod command_lines;
pub(crate) mod compiler_variable;
pub(crate) mod container;
pub(crate) mod deletion;
pub(crate) mod dual;
mod file;
pub(crate) mod find_cuda;
pub(crate) mod generator;
mod here_documents;
pub(crate) mod hip_sources;
mod in_front;
pub(crate) mod machine_test;
pub(crate) mod make;
pub(crate) mod nvcc_line;
pub(crate) mod packages;
pub(crate) mod presets;
pub(crate) mod probes;
pub(crate) mod programs;
pub(crate) mod release_probe;
pub(crate) mod removal;
mod soundness;
pub(crate) mod words;

pub use file::BuildFile;
