//! Programs in Python: CUDA in strings, PyTorch, TensorFlow, Triton, Numba.
//!
//! The list is written by `cargo xtask rules`: a new rule is a new file.

pub mod arch_list;
pub mod cuda_version_test;
pub mod deep_script;
pub mod gpu_product;
pub mod numba_cuda;
pub mod nvcc_magic;
pub mod nvidia_management;
pub mod pycuda_package;
pub mod runtime_option;
pub mod source_in_string;
pub mod source_template;
pub mod tensorflow_build;
pub mod tf32_switch;
pub mod triton_launch_option;
pub mod triton_libdevice;
pub mod triton_nvidia_only;

/// The rules of this folder, by file name.
#[rustfmt::skip]
pub(super) static RULES: &[(&str, &super::Rule)] = &[
    ("arch-list", &arch_list::RULE),
    ("cuda-version-test", &cuda_version_test::RULE),
    ("deep-script", &deep_script::RULE),
    ("gpu-product", &gpu_product::RULE),
    ("numba-cuda", &numba_cuda::RULE),
    ("nvcc-magic", &nvcc_magic::RULE),
    ("nvidia-management", &nvidia_management::RULE),
    ("pycuda-package", &pycuda_package::RULE),
    ("runtime-option", &runtime_option::RULE),
    ("source-in-string", &source_in_string::RULE),
    ("source-template", &source_template::RULE),
    ("tensorflow-build", &tensorflow_build::RULE),
    ("tf32-switch", &tf32_switch::RULE),
    ("triton-launch-option", &triton_launch_option::RULE),
    ("triton-libdevice", &triton_libdevice::RULE),
    ("triton-nvidia-only", &triton_nvidia_only::RULE),
];
