//! The libraries that tables belong to: titles for people and what to link on AMD.

/// What is known of a library besides its names.
#[derive(Debug)]
pub struct Library {
    /// Name of the table.
    pub key: &'static str,
    /// What NVIDIA calls it.
    pub title: &'static str,
    /// Header of its counterpart; empty where each name has its own or there is none.
    pub header: &'static str,
    /// Linker flags on AMD with the default choice; hipcc adds the runtime itself.
    pub link: &'static [&'static str],
    /// Linker flags when the `roc*` library is chosen.
    pub roc_link: &'static [&'static str],
}

/// All libraries, by key.
pub static LIBRARIES: &[Library] = &[
    library(
        "blas",
        "cuBLAS",
        "hipblas/hipblas.h",
        &["-lhipblas"],
        &["-lrocblas"],
    ),
    library(
        "blaslt",
        "cuBLASLt",
        "hipblaslt/hipblaslt.h",
        &["-lhipblaslt"],
        &[],
    ),
    library("complex", "cuComplex", "hip/hip_complex.h", &[], &[]),
    library(
        "cooperative_groups",
        "cooperative groups",
        "hip/hip_cooperative_groups.h",
        &[],
        &[],
    ),
    library("cub", "CUB", "hipcub/hipcub.hpp", &[], &[]),
    library("cufile", "cuFile", "hipfile.h", &["-lhipfile"], &[]),
    library("cupti", "CUPTI", "", &[], &[]),
    library("device", "device functions", "hip/hip_runtime.h", &[], &[]),
    library("dnn", "cuDNN", "miopen/miopen.h", &["-lMIOpen"], &[]),
    library("driver", "CUDA driver", "hip/hip_runtime.h", &[], &[]),
    library(
        "fft",
        "cuFFT",
        "hipfft/hipfft.h",
        &["-lhipfft"],
        &["-lrocfft"],
    ),
    library("fp16", "fp16, bf16, fp8", "hip/hip_fp16.h", &[], &[]),
    library("headers", "headers", "", &[], &[]),
    library("libcudacxx", "libcu++", "", &[], &[]),
    library("nccl", "NCCL", "rccl/rccl.h", &["-lrccl"], &[]),
    library("npp", "NPP", "", &[], &[]),
    library("nvjpeg", "nvJPEG", "", &[], &[]),
    library("nvml", "NVML", "", &[], &[]),
    library("nvtx", "NVTX", "roctracer/roctx.h", &["-lroctx64"], &[]),
    library(
        "rand",
        "cuRAND",
        "hiprand/hiprand.h",
        &["-lhiprand"],
        &["-lrocrand"],
    ),
    library("rtc", "NVRTC", "hip/hiprtc.h", &["-lhiprtc"], &[]),
    library("runtime", "CUDA runtime", "hip/hip_runtime.h", &[], &[]),
    library(
        "solver",
        "cuSOLVER",
        "hipsolver/hipsolver.h",
        &["-lhipsolver"],
        &["-lrocsolver"],
    ),
    library(
        "sparse",
        "cuSPARSE",
        "hipsparse/hipsparse.h",
        &["-lhipsparse"],
        &["-lrocsparse"],
    ),
    library(
        "sparselt",
        "cuSPARSELt",
        "hipsparselt/hipsparselt.h",
        &["-lhipsparselt"],
        &[],
    ),
    library(
        "tensor",
        "cuTENSOR",
        "hiptensor/hiptensor.hpp",
        &["-lhiptensor"],
        &[],
    ),
    library("thrust", "Thrust", "", &[], &[]),
];

/// The library with a key; overlays may name libraries of their own, which are not known here.
pub fn find(key: &str) -> Option<&'static Library> {
    LIBRARIES
        .binary_search_by(|library| library.key.cmp(key))
        .ok()
        .map(|at| &LIBRARIES[at])
}

/// Title for people: the key itself for a library that only an overlay knows.
pub fn title(key: &str) -> &str {
    find(key).map_or(key, |library| library.title)
}

const fn library(
    key: &'static str,
    title: &'static str,
    header: &'static str,
    link: &'static [&'static str],
    roc_link: &'static [&'static str],
) -> Library {
    Library {
        key,
        title,
        header,
        link,
        roc_link,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn sorted_by_key() {
        assert!(super::LIBRARIES.is_sorted_by_key(|library| library.key));
    }
}
