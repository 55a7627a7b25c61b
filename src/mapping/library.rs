//! The libraries that tables belong to: titles for people and what to link on AMD.

/// What is known of a library besides its names.
#[derive(Debug)]
pub struct Library {
    /// Name of the table.
    pub key: &'static str,
    /// What NVIDIA calls it.
    pub title: &'static str,
    /// Linker flags on AMD with the default choice; hipcc adds the runtime itself.
    pub link: &'static [&'static str],
    /// Linker flags when the `roc*` library is chosen.
    pub roc_link: &'static [&'static str],
}

/// All libraries, by key.
pub static LIBRARIES: &[Library] = &[
    library("blas", "cuBLAS", &["-lhipblas"], &["-lrocblas"]),
    library("blaslt", "cuBLASLt", &["-lhipblaslt"], &[]),
    library("complex", "cuComplex", &[], &[]),
    library("cooperative_groups", "cooperative groups", &[], &[]),
    library("cub", "CUB", &[], &[]),
    library("cufile", "cuFile", &[], &[]),
    library("cupti", "CUPTI", &[], &[]),
    library("device", "device functions", &[], &[]),
    library("dnn", "cuDNN", &["-lMIOpen"], &[]),
    library("driver", "CUDA driver", &[], &[]),
    library("fft", "cuFFT", &["-lhipfft"], &["-lrocfft"]),
    library("fp16", "fp16, bf16, fp8", &[], &[]),
    library("headers", "headers", &[], &[]),
    library("libcudacxx", "libcu++", &[], &[]),
    library("nccl", "NCCL", &["-lrccl"], &[]),
    library("npp", "NPP", &[], &[]),
    library("nvjpeg", "nvJPEG", &[], &[]),
    library("nvml", "NVML", &[], &[]),
    library("nvtx", "NVTX", &["-lroctx64"], &[]),
    library("rand", "cuRAND", &["-lhiprand"], &["-lrocrand"]),
    library("rtc", "NVRTC", &["-lhiprtc"], &[]),
    library("runtime", "CUDA runtime", &[], &[]),
    library("solver", "cuSOLVER", &["-lhipsolver"], &["-lrocsolver"]),
    library("sparse", "cuSPARSE", &["-lhipsparse"], &["-lrocsparse"]),
    library("sparselt", "cuSPARSELt", &["-lhipsparselt"], &[]),
    library("tensor", "cuTENSOR", &["-lhiptensor"], &[]),
    library("thrust", "Thrust", &[], &[]),
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
    link: &'static [&'static str],
    roc_link: &'static [&'static str],
) -> Library {
    Library {
        key,
        title,
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
