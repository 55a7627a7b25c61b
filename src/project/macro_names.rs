//! What names of a project's macros and files say: that CUDA or a library of it is there, and what the macro for AMD beside them is called.

/// Whether a macro of a project says that CUDA or a library of it is there: `HYPRE_USING_CUDA`, `QUDA_NVTX`.
pub(super) fn is_about_cuda(name: &[u8]) -> bool {
    const OF_COMPILERS: &[&[u8]] = &[b"__CUDA", b"__NVCC", b"CUDA_VERSION", b"CUDART_VERSION"];
    const OF_GUARDS: &[&[u8]] = &[
        b"H",
        b"HPP",
        b"CUH",
        b"INCLUDED",
        b"HEADER",
        b"HIP",
        b"VERSION",
    ];
    let mut words = name.split(|&byte| byte == b'_');
    let is_guard = name
        .split(|&byte| byte == b'_')
        .any(|word| OF_GUARDS.contains(&word));
    words.any(|word| hip_words(word).is_some())
        && !is_guard
        && !OF_COMPILERS.iter().any(|start| name.starts_with(start))
}

/// Whether it names one of CUDA's libraries, which a build for AMD that maps nothing never has.
pub(super) fn is_about_library(name: &[u8]) -> bool {
    let mut words = name.split(|&byte| byte == b'_');
    words.any(|word| !matches!(word, b"CUDA" | b"NVIDIA" | b"NCCL") && hip_words(word).is_some())
}

/// Whether the project calls a file after CUDA or one of its libraries, so that a build for AMD is not meant to have it.
pub(crate) fn is_called_after_cuda(path: &str) -> bool {
    const STEMS: &[&str] = &[
        "cuda", "cublas", "cufft", "curand", "cusolver", "cusparse", "cudnn",
    ];
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    STEMS.iter().any(|stem| name.contains(stem))
}

/// Whether it names a profiler of NVIDIA's, which a build for AMD does not find, whatever it maps: `HAVE_NVTX`, `AL_HAS_NVPROF`.
pub(super) fn is_about_profiler(name: &[u8]) -> bool {
    let mut words = name.split(|&byte| byte == b'_');
    words.any(|word| matches!(word, b"NVTX" | b"NVPROF" | b"CUPTI"))
}

/// What projects put in place of a word about CUDA in the macro that speaks of AMD.
fn hip_words(word: &[u8]) -> Option<&'static [&'static str]> {
    Some(match word {
        b"CUDA" | b"NVIDIA" => &["HIP", "ROCM", "AMD"],
        b"CUBLAS" => &["ROCBLAS", "HIPBLAS"],
        b"CUSPARSE" => &["ROCSPARSE", "HIPSPARSE"],
        b"CUSOLVER" => &["ROCSOLVER", "HIPSOLVER"],
        b"CURAND" => &["ROCRAND", "HIPRAND"],
        b"CUFFT" => &["ROCFFT", "HIPFFT"],
        b"CUDNN" => &["MIOPEN"],
        b"NVTX" => &["ROCTX"],
        b"NCCL" => &["RCCL"],
        b"CUB" => &["HIPCUB", "ROCPRIM"],
        b"CUPTI" | b"NVPROF" => &["ROCTRACER", "ROCPROFILER"],
        _ => return None,
    })
}

/// The macros that speak of AMD as one speaks of CUDA: `MFEM_USE_HIP` for `MFEM_USE_CUDA`.
pub(super) fn counterparts(name: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(name);
    let words: Vec<&str> = text.split('_').collect();
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        for other in hip_words(word.as_bytes()).unwrap_or_default() {
            let mut words = words.clone();
            words[at] = other;
            found.push(words.join("_"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_about_cuda_have_counterparts() {
        for (name, about_cuda, about_library, counterpart) in [
            ("MFEM_USE_CUDA", true, false, "MFEM_USE_HIP"),
            ("HAVE_NVIDIA", true, false, "HAVE_ROCM"),
            ("QUDA_NVTX", true, true, "QUDA_ROCTX"),
            ("WITH_CUSPARSE", true, true, "WITH_ROCSPARSE"),
            ("CUDA_UTIL_H", false, false, "HIP_UTIL_H"),
            ("CUDA_VERSION", false, false, "HIP_VERSION"),
            ("__CUDACC__", false, false, ""),
            ("USE_GPU", false, false, ""),
        ] {
            let bytes = name.as_bytes();
            assert_eq!(is_about_cuda(bytes), about_cuda, "{name}");
            assert_eq!(is_about_library(bytes), about_library, "{name}");
            let all = counterparts(bytes);
            let has = all.iter().any(|it| it == counterpart);
            assert_eq!(has, !counterpart.is_empty(), "{name}: {all:?}");
        }
    }
}
