//! PyTorch extensions: build scripts in Python, and what PyTorch's own build for ROCm does not do.

pub mod capability_gate;
pub mod constant_min_max;
pub mod cuda_home;
pub mod deprecated_torch;
pub mod extension_library;
pub mod extension_macro;
pub mod extension_option;
pub mod jit_header;
pub mod kernel_for_host;
pub mod left_behind;
pub mod nvcc_version;
pub mod other_build_file;
pub mod renamed_condition;
pub mod renamed_function;
pub mod renamed_launch;
pub mod shared_source;
pub mod unrenamed_build;
