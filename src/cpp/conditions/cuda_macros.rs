//! The macros that nvcc and CUDA's headers define, and the numbers that authors compare them with.

/// What a macro of CUDA tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Family {
    /// The compiler: `__CUDACC__`.
    Compiler,
    /// The version of headers or compiler: `CUDART_VERSION`.
    Version,
    /// The device pass and its chip: `__CUDA_ARCH__`.
    Arch,
}

/// A macro that CUDA's compiler or headers define and AMD's do not.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CudaMacro {
    /// Its name.
    pub name: &'static str,
    /// What it tells.
    pub family: Family,
    /// The macro that is defined on AMD where this one is defined on NVIDIA.
    pub hip: &'static str,
    /// Its value in the CUDA that HIP of today resembles: CUDA 12.0, cuDNN 7.6, and a chip with the instructions of compute capability
    /// 8.0.
    pub value: i64,
}

const fn known(name: &'static str, family: Family, hip: &'static str, value: i64) -> CudaMacro {
    CudaMacro {
        name,
        family,
        hip,
        value,
    }
}

/// What nvcc defines to say that it is there, or what it was told.
const fn compiler(name: &'static str) -> CudaMacro {
    known(name, Family::Compiler, "__HIPCC__", 1)
}

/// The version of the runtime or a library.
const fn version(name: &'static str, value: i64) -> CudaMacro {
    known(name, Family::Version, "__HIP_PLATFORM_AMD__", value)
}

static MACROS: &[CudaMacro] = &[
    known("__CUDA_ARCH__", Family::Arch, "__HIP_DEVICE_COMPILE__", 800),
    compiler("__CUDACC__"),
    compiler("__NVCC__"),
    compiler("__CUDACC_EXTENDED_LAMBDA__"),
    compiler("__CUDACC_RELAXED_CONSTEXPR__"),
    // What TensorFlow and the custom operators built with it are compiled with; for ROCm the other one is defined.
    known("GOOGLE_CUDA", Family::Compiler, "TENSORFLOW_USE_ROCM", 1),
    known("__CUDACC_VER_MAJOR__", Family::Version, "__HIPCC__", 12),
    known("__CUDACC_VER_MINOR__", Family::Version, "__HIPCC__", 0),
    version("CUDART_VERSION", 12_000),
    version("CUDA_VERSION", 12_000),
    // MIOpen has the interfaces of cuDNN 7.6: grouped and transposed convolutions, no engines and graphs.
    version("CUDNN_MAJOR", 7),
    version("CUDNN_MINOR", 6),
    version("CUDNN_PATCHLEVEL", 0),
    version("CUDNN_VERSION", 7_600),
    // The libraries of ROCm have the interfaces of those of CUDA 12.0, and count their own releases from 0.
    version("CUBLAS_VER_MAJOR", 12),
    version("CUBLAS_VER_MINOR", 0),
    version("CUBLAS_VERSION", 120_001),
    version("CUSPARSE_VER_MAJOR", 12),
    version("CUSPARSE_VER_MINOR", 0),
    version("CUSPARSE_VERSION", 12_000),
    version("CUSOLVER_VER_MAJOR", 11),
    version("CUSOLVER_VER_MINOR", 4),
    version("CUSOLVER_VERSION", 11_402),
    version("CUFFT_VER_MAJOR", 11),
    version("CUFFT_VER_MINOR", 0),
    version("CUFFT_VERSION", 11_000),
    version("CURAND_VER_MAJOR", 10),
    version("CURAND_VERSION", 10_301),
];

/// The macro of that name.
pub(crate) fn cuda_macro(name: &[u8]) -> Option<&'static CudaMacro> {
    MACROS.iter().find(|known| known.name.as_bytes() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_are_known_by_name_and_tell_one_thing() {
        for (name, family) in [
            ("__CUDACC__", Some(Family::Compiler)),
            ("__CUDA_ARCH__", Some(Family::Arch)),
            ("CUDART_VERSION", Some(Family::Version)),
            ("__HIPCC__", None),
            ("__cudacc__", None),
        ] {
            let found = cuda_macro(name.as_bytes()).map(|known| known.family);
            assert_eq!(found, family, "{name}");
        }
    }
}
