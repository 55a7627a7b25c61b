use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// Literals of which every text that uses CUDA holds at least one. Keys of the tables contain one of them or are marked
/// `context`; a test holds the tables to it.
const STEMS: &[&str] = &[
    "cuda",
    "CUDA",
    "Cuda",
    "__global__",
    "__device__",
    "__shared__",
    "__constant__",
    "__managed__",
    "__host__",
    "<<<",
    "<< <",
    "< <<",
    "cublas",
    "CUBLAS",
    "cufft",
    "CUFFT",
    "curand",
    "CURAND",
    "cusparse",
    "CUSPARSE",
    "cusolver",
    "CUSOLVER",
    "cudnn",
    "CUDNN",
    "nccl",
    "NCCL",
    "nvtx",
    "NVTX",
    "nvml",
    "NVML",
    "nvrtc",
    "NVRTC",
    "cupti",
    "CUPTI",
    "thrust",
    "THRUST",
    "cub::",
    "cub/",
    "CUB_",
    "cuComplex",
    "cuDoubleComplex",
    "cuFloatComplex",
    "CU_",
    "CUdevice",
    "CUcontext",
    "CUmodule",
    "CUfunction",
    "CUstream",
    "CUevent",
    "CUresult",
    "CUarray",
    "CUtex",
    "CUsurf",
    "CUlink",
    "CUmem",
    "CUgraph",
    "cuMem",
    "cuCtx",
    "cuDevice",
    "cuModule",
    "cuLaunch",
    "cuStream",
    "cuEvent",
    "cuInit",
    "cuFunc",
    "cuGet",
    "cuLink",
    "cutensor",
    "cufile",
    "cuFile",
    "nvjpeg",
    "npp",
    "nvJitLink",
    "__nv_",
    "__CUDA",
    "__NVCC__",
    "__syncthreads",
    "threadIdx",
    "blockIdx",
    "cooperative_groups",
    "wmma",
    "cutlass",
    "cute/",
    "__shfl",
    "__ballot",
    "__activemask",
    "__any_sync",
    "__all_sync",
    "__uni_sync",
    "__match_a",
    "__reduce_",
    "__syncwarp",
    "__ldg",
    "cuobj",
    "nvcc",
    "NVCC",
    "nvToolsExt",
    "__half",
    // Headers of CUDA whose path says nothing of it; those that could be anybody's (`host_config.h`) are marked `context` instead.
    "__DRIVER_TYPES_H__",
    "ImagesNPP.h",
    "NvDecoder/",
    "NvInfer",
    "NvOnnxParser",
    "NvUffParser",
    "NvEncoder/",
    "amgx_c.h",
    "builtin_types.h",
    "channel_descriptor.h",
    "crt/common_functions",
    "crt/device_",
    "crt/func_macro",
    "crt/host_",
    "crt/math_functions",
    "crt/mma",
    "crt/sm_",
    "crt/storage_class",
    "cuco/",
    "cudensitymat",
    "cudf/",
    "cudla.h",
    "cudss.h",
    "cugraph/",
    "cuml/",
    "custatevec",
    "cutil",
    "cuviddec",
    "device_atomic_functions",
    "device_double_functions",
    "device_launch_parameters",
    "driver_types.h",
    "drvapi_error_string",
    "dynlink_nvcuvid",
    "fatbinary_section",
    "helper_functions.h",
    "helper_image.h",
    "helper_math.h",
    "helper_string.h",
    "helper_timer.h",
    "jitify",
    "math_constants.h",
    "matx.h",
    "mma.h",
    "nv/detail/",
    "nv/target",
    "nvEncodeAPI",
    "nvFatbin",
    "nvPTXCompiler",
    "nvblas",
    "nvcomp",
    "nvcuvid",
    "nvimgcodec",
    "nvperf_",
    "nvscisync",
    "nvshmem",
    "nvvm.h",
    "optix",
    "simt/",
    "sm_11_atomic",
    "sm_12_atomic",
    "sm_13_double",
    "sm_20_",
    "sm_30_",
    "sm_32_",
    "sm_35_",
    "sm_60_atomic",
    "sm_61_intr",
    "sm_70_rt",
    "surface_functions.h",
    "surface_indirect_functions",
    "texture_fetch_functions",
    "texture_indirect_functions",
    "vector_functions.h",
    "vector_types.h",
    // In quotes these could be the project's own.
    "<cuvs/",
    "<device_functions.h",
    "<driver_functions.h",
    "<library_types.h",
    "<math_functions.h",
    "<raft/",
    "<rmm/",
    "<surface_types.h",
    "<texture_types.h",
];

/// The literals by their first three bytes. Every start of the program builds this, so it is no automaton, which takes a millisecond.
struct Stems {
    /// A bit for each hash that the first bytes of a literal have.
    hashes: Box<[u64; HASHES / 64]>,
    by_start: FxHashMap<[u8; START], Vec<&'static [u8]>>,
}

const START: usize = 3;
const HASHES: usize = 1 << 16;

static MATCHER: LazyLock<Stems> = LazyLock::new(|| {
    let mut stems = Stems {
        hashes: Box::new([0; HASHES / 64]),
        by_start: FxHashMap::default(),
    };
    for stem in STEMS.iter().map(|stem| stem.as_bytes()) {
        let start = *stem.first_chunk().expect("stems have three bytes");
        let hash = hash(start);
        stems.hashes[hash / 64] |= 1 << (hash % 64);
        stems.by_start.entry(start).or_default().push(stem);
    }
    stems
});

fn hash(start: [u8; START]) -> usize {
    let [a, b, c] = start;
    (u32::from_le_bytes([a, b, c, 0]).wrapping_mul(0x9e37_79b1) >> 16) as usize
}

impl Stems {
    fn starts(&self, bytes: &[u8]) -> bool {
        let start = bytes
            .first_chunk()
            .and_then(|start| self.by_start.get(start));
        start.is_some_and(|stems| stems.iter().any(|stem| bytes.starts_with(stem)))
    }
}

/// Whether a text can hold anything that concerns CUDA; what does not is copied without being read further.
pub fn mentions_cuda(bytes: &[u8]) -> bool {
    let stems = &*MATCHER;
    bytes.windows(START).enumerate().any(|(at, start)| {
        let hash = hash([start[0], start[1], start[2]]);
        stems.hashes[hash / 64] & (1 << (hash % 64)) != 0 && stems.starts(&bytes[at..])
    })
}

/// The literals of the prefilter.
pub fn stems() -> &'static [&'static str] {
    STEMS
}

/// Literals of which every text that uses HIP holds at least one.
const HIP_STEMS: &[&[u8]] = &[b"hip", b"HIP", b"roc", b"miopen", b"MIOPEN", b"rccl"];

/// Whether a text can hold anything that concerns HIP.
pub(super) fn mentions_hip(bytes: &[u8]) -> bool {
    HIP_STEMS
        .iter()
        .any(|stem| memchr::memmem::find(bytes, stem).is_some())
}
