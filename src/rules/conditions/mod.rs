//! Preprocessor conditions about compilers, versions and architectures.

pub mod arch_condition;
pub mod cuda_compiler_condition;
pub mod cuda_version_condition;
pub mod host_twin;
pub mod project_macro;
