//! What Debian packages: headers by library, their releases, and what none of them declares.

use cass_transpile::mapping::Version;

/// Headers of each library.
pub(crate) const HEADERS: &[(&str, &[&str])] = &[
    ("blas", &["hipblas/hipblas.h", "rocblas/rocblas.h"]),
    ("blaslt", &["hipblaslt/hipblaslt.h", "hipblas/hipblas.h"]),
    ("complex", &["hip/hip_complex.h"]),
    ("cooperative_groups", &["hip/hip_cooperative_groups.h"]),
    ("cub", &["hipcub/hipcub.hpp"]),
    ("device", &[]),
    ("dnn", &["miopen/miopen.h", "miopen/version.h"]),
    ("driver", &["hip/hip_gl_interop.h", "hip/hiprtc.h"]),
    (
        "fft",
        &["hipfft/hipfft.h", "hipfft/hipfftXt.h", "rocfft/rocfft.h"],
    ),
    (
        "fp16",
        &["hip/hip_fp16.h", "hip/hip_bf16.h", "hip/hip_fp8.h"],
    ),
    ("nccl", &["rccl/rccl.h"]),
    ("nvtx", &["roctracer/roctx.h"]),
    (
        "rand",
        &[
            "hiprand/hiprand.h",
            "hiprand/hiprand_kernel.h",
            "hiprand/hiprand_mtgp32_host.h",
            "rocrand/rocrand.h",
            "rocrand/rocrand_kernel.h",
            "rocrand/rocrand_mtgp32_11213.h",
        ],
    ),
    ("rtc", &["hip/hiprtc.h"]),
    (
        "runtime",
        &[
            "hip/hip_ext.h",
            "hip/hip_math_constants.h",
            "hip/library_types.h",
            "hip/hip_cooperative_groups.h",
            "hip/hip_gl_interop.h",
        ],
    ),
    (
        "solver",
        &["hipsolver/hipsolver.h", "rocsolver/rocsolver.h"],
    ),
    (
        "sparse",
        &["hipsparse/hipsparse.h", "rocsparse/rocsparse.h"],
    ),
    (
        "thrust",
        &[
            "thrust/version.h",
            "thrust/device_vector.h",
            "thrust/system/hip/execution_policy.h",
            "thrust/system/hip/memory.h",
        ],
    ),
];

/// Libraries of which Debian has no headers: how many targets go unproven here, and what proves them.
pub(crate) const NOT_PACKAGED: &[(&str, usize, &str)] = &[
    (
        "cufile",
        130,
        "newest_rocm.rs, the declarations of ROCm 10.0",
    ),
    (
        "headers",
        7,
        "nothing: namespaces of libraries that are ported outside of ROCm",
    ),
    (
        "libcudacxx",
        27,
        "nothing: libhipcxx is released apart from ROCm",
    ),
    (
        "sparselt",
        72,
        "newest_rocm.rs, the declarations of ROCm 10.0",
    ),
    (
        "tensor",
        162,
        "newest_rocm.rs, the declarations of ROCm 10.0",
    ),
];

/// Names that no using-declaration can prove, with the reason.
pub(crate) const EXCEPTIONS: &[(&str, &str)] = &[
    ("__noinline__", "a keyword of clang"),
    (
        "__HIP_NO_HALF_CONVERSIONS__",
        "a switch that programs define and headers ask for",
    ),
    (
        "__HIP_NO_HALF_OPERATORS__",
        "a switch that programs define and headers ask for",
    ),
    (
        "THRUST_CUB_WRAPPED_NAMESPACE",
        "a switch that programs define and headers ask for",
    ),
    (
        "THRUST_WRAPPED_NAMESPACE",
        "a switch that programs define and headers ask for",
    ),
    (
        "HIPCUB_STDERR",
        "a switch that programs define and headers ask for",
    ),
];

/// Older spellings that Debian's headers do not have, with the reason.
pub(crate) const GONE: &[(&str, &str)] = &[
    ("memoryType", "hipPointerAttribute_t had it until ROCm 6.0"),
    ("ncclFp8E4M3", "RCCL had it from ROCm 6.2 to 6.4"),
    ("ncclFp8E5M2", "RCCL had it from ROCm 6.2 to 6.4"),
];

/// The release of a library's headers.
pub(crate) fn release(library: &str) -> Version {
    match library {
        "blaslt" => Version::new(7, 1),
        "nccl" => Version::new(5, 4),
        _ => Version::new(6, 4),
    }
}
