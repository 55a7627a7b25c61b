use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// Literals of which every text that uses CUDA holds at least one. Keys of the tables contain one of them or are marked
/// `context`; a test holds the tables to it.
const STEMS: &[&str] = &[
    "cuda", "CUDA", "Cuda", "__global__", "__device__", "__shared__", "__constant__", "__managed__", "__host__", "<<<", "<< <", "< <<", "cublas", "CUBLAS", "cufft",
    "CUFFT", "curand", "CURAND", "cusparse", "CUSPARSE", "cusolver", "CUSOLVER", "cudnn", "CUDNN", "nccl", "NCCL", "nvtx", "NVTX", "nvml", "NVML",
    "nvrtc", "NVRTC", "cupti", "CUPTI", "thrust", "THRUST", "cub::", "cub/", "CUB_", "cuComplex", "cuDoubleComplex", "cuFloatComplex", "CU_", "CUdevice", "CUcontext",
    "CUmodule", "CUfunction", "CUstream", "CUevent", "CUresult", "CUarray", "CUtex", "CUsurf", "CUlink", "CUmem", "CUgraph", "cuMem", "cuCtx", "cuDevice", "cuModule",
    "cuLaunch", "cuStream", "cuEvent", "cuInit", "cuFunc", "cuGet", "cuLink", "cutensor", "cufile", "cuFile", "nvjpeg", "npp", "nvJitLink", "__nv_", "__CUDA", "__NVCC__", "__syncthreads",
    "threadIdx", "blockIdx", "cooperative_groups", "wmma", "cutlass", "cute/", "__shfl", "cuobj", "nvcc", "NVCC", "nvToolsExt", "__half",
];

static MATCHER: LazyLock<AhoCorasick> = LazyLock::new(|| AhoCorasick::new(STEMS).expect("the stems are few and short"));

/// Whether a text can hold anything that concerns CUDA; what does not is copied without being read further.
pub fn mentions_cuda(bytes: &[u8]) -> bool {
    MATCHER.is_match(bytes)
}

/// The literals of the prefilter.
pub fn stems() -> &'static [&'static str] {
    STEMS
}
