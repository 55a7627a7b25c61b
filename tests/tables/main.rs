//! The tables of `mappings/`: their own rules, and each target and argument held against the headers of ROCm and CUDA.

mod answers;
mod argument_verbs;
mod build_files;
#[path = "../common/mod.rs"]
mod common;
mod hover;
mod members;
mod newest_rocm;
mod notes;
mod releases;
mod rows;
mod survey;
mod table_units;
