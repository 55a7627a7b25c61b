//! Programs in Python: CUDA in strings, PyTorch, TensorFlow, Triton, Numba.

pub mod amd_refusal;
pub mod arch_list;
pub mod cuda_version_test;
pub mod deep_script;
pub mod gpu_product;
pub mod numba_cuda;
pub mod nvcc_magic;
pub mod nvidia_management;
pub mod onnx_provider;
pub mod pycuda_package;
pub mod runtime_option;
pub mod source_in_string;
pub mod source_template;
pub mod tensorflow_build;
pub mod tf32_switch;
pub mod torch_feature;
pub mod triton_launch_option;
pub mod triton_libdevice;
pub mod triton_nvidia_only;
pub mod written_script;
