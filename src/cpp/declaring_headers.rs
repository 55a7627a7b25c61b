//! Headers of the standard library and of CUDA's libraries, by the names that they declare.
//!
//! Source: each header compiled alone behind `hip/hip_runtime.h` of ROCm 6.4 with libstdc++ 12; what the headers of CUDA 13.0 include.

use std::sync::LazyLock;

use crate::text::WordMap;

/// A header, what it declares, and which other headers are known to bring that too.
#[derive(Debug)]
pub(crate) struct Header {
    /// As an include names it.
    pub path: &'static str,
    /// What it declares.
    pub names: &'static [&'static str],
    /// The namespace of the names; none for macros and functions of the C library.
    pub space: &'static str,
    /// Headers, or folders with `/` at their end, that bring the names as well.
    pub also: &'static [&'static str],
    /// HIP's headers bring the names up to ROCm 6 and no longer from 7.0.
    pub since_7: bool,
    /// Headers of CUDA that bring the names where HIP's counterparts do not; empty for the standard library.
    pub behind: &'static [&'static str],
    /// The names are used in other ways than by calling them.
    pub any_use: bool,
}

/// Functions of the C library, which are called.
const fn of_c(
    path: &'static str,
    names: &'static [&'static str],
    also: &'static [&'static str],
) -> Header {
    Header {
        any_use: false,
        ..brought(path, names, also, &[])
    }
}

/// Names in the namespace `std`.
const fn of_std(
    path: &'static str,
    names: &'static [&'static str],
    also: &'static [&'static str],
) -> Header {
    Header {
        space: "std",
        ..of_c(path, names, also)
    }
}

/// What a header of CUDA brings along, for names that come by it.
const fn brought(
    path: &'static str,
    names: &'static [&'static str],
    also: &'static [&'static str],
    behind: &'static [&'static str],
) -> Header {
    Header {
        path,
        names,
        space: "",
        also,
        since_7: false,
        behind,
        any_use: true,
    }
}

/// Headers of cuBLAS, in any of its forms, and of what includes them.
const BLAS: &[&str] = &[
    "cublas_v2.h",
    "cublas.h",
    "cublas_api.h",
    "cublasXt.h",
    "hipblas/hipblas.h",
    "hipblas.h",
];
const BEHIND_BLAS: &[&str] = &[
    "cublas_v2.h",
    "cublas.h",
    "cublas_api.h",
    "cublasXt.h",
    "cusolverDn.h",
    "cusolverSp.h",
    "cusparse.h",
    "cusparse_v2.h",
    "cuda_bf16.h",
];

/// What the libraries of CUDA bring; names of cuBLAS and cuSPARSE by their prefix.
static BROUGHT: [Header; 5] = [
    brought(
        "hip/hip_fp16.h",
        &[
            "__half",
            "half",
            "__half2",
            "half2",
            "__float2half",
            "__float2half_rn",
            "__half2float",
        ],
        &[
            "cuda_fp16.h",
            "cuda_fp16.hpp",
            "hip/hip_fp16.h",
            "cuda_fp8.h",
            "curand_kernel.h",
            "cublasLt.h",
            "nccl.h",
            "mma.h",
        ],
        BEHIND_BLAS,
    ),
    brought(
        "hip/hip_bf16.h",
        &[
            "__nv_bfloat16",
            "nv_bfloat16",
            "__nv_bfloat162",
            "nv_bfloat162",
            "__float2bfloat16",
            "__bfloat162float",
        ],
        &[
            "cuda_bf16.h",
            "cuda_bf16.hpp",
            "hip/hip_bf16.h",
            "cuda_fp8.h",
            "cublasLt.h",
        ],
        &[
            "cublas_v2.h",
            "cublas.h",
            "cublas_api.h",
            "cublasXt.h",
            "cusolverDn.h",
            "cusolverSp.h",
            "nccl.h",
        ],
    ),
    brought(
        "hipblas/hipblas.h",
        &[],
        BLAS,
        &["cusolverDn.h", "cusolverSp.h", "cublasLt.h"],
    ),
    brought(
        "hipsparse/hipsparse.h",
        &[],
        &[
            "cusparse.h",
            "cusparse_v2.h",
            "hipsparse/hipsparse.h",
            "hipsparse.h",
        ],
        &["cusolverSp.h"],
    ),
    Header {
        path: "cuda/atomic",
        names: &[
            "atomic",
            "atomic_ref",
            "atomic_thread_fence",
            "memory_order",
            "memory_order_acq_rel",
            "memory_order_acquire",
            "memory_order_relaxed",
            "memory_order_release",
            "memory_order_seq_cst",
            "thread_scope",
            "thread_scope_block",
            "thread_scope_device",
            "thread_scope_system",
            "thread_scope_thread",
        ],
        space: "cuda",
        also: &[
            "cuda/barrier",
            "cuda/semaphore",
            "cuda/latch",
            "cuda/pipeline",
        ],
        since_7: false,
        behind: &["cooperative_groups.h"],
        any_use: true,
    },
];

static HEADERS: &[Header] = &[
    // `<cmath>`, which HIP's headers do bring, has these in `std` only.
    of_c("math.h", HOST_ONLY, &["complex.h", "bits/stdc++.h"]),
    brought(
        "cfloat",
        &[
            "FLT_MAX",
            "FLT_MIN",
            "FLT_EPSILON",
            "FLT_DIG",
            "DBL_MAX",
            "DBL_MIN",
            "DBL_EPSILON",
            "DBL_DIG",
            "LDBL_MAX",
            "LDBL_MIN",
            "FLT_MANT_DIG",
            "DBL_MANT_DIG",
        ],
        &["float.h"],
        &[],
    ),
    brought(
        "cinttypes",
        &[
            "imaxabs",
            "imaxdiv",
            "strtoimax",
            "strtoumax",
            "wcstoimax",
            "wcstoumax",
            "PRId64",
            "PRIu64",
            "PRIx64",
        ],
        &["inttypes.h"],
        &[
            "cusolverDn.h",
            "cusolverMg.h",
            "cusolverRf.h",
            "cusolverSp.h",
            "cusolver_common.h",
        ],
    ),
    of_std(
        "vector",
        &["vector"],
        &[
            "random",
            "functional",
            "queue",
            "regex",
            "thrust/",
            "cub/",
            "future",
        ],
    ),
    of_std("iostream", &["cout", "cerr", "cin"], &["thrust/", "cub/"]),
    of_std("map", &["map", "multimap"], &["cub/", "regex"]),
    of_std("set", &["set", "multiset"], &["cub/"]),
    of_std("iomanip", &["setw", "setprecision", "setfill"], &["regex"]),
    of_std(
        "numeric",
        &["accumulate", "iota", "inner_product", "partial_sum"],
        &["random"],
    ),
    of_std(
        "functional",
        &["function", "bind"],
        &["thrust/", "cub/", "regex", "future"],
    ),
    of_std(
        "memory",
        &["shared_ptr", "make_shared"],
        &["thrust/", "future", "regex"],
    ),
    of_std("fstream", &["ifstream", "ofstream"], &["filesystem"]),
    of_std(
        "random",
        &[
            "mt19937",
            "mt19937_64",
            "random_device",
            "uniform_real_distribution",
            "uniform_int_distribution",
            "normal_distribution",
            "default_random_engine",
        ],
        &[],
    ),
    of_std(
        "unordered_map",
        &["unordered_map"],
        &["functional", "thrust/", "cub/"],
    ),
    of_std(
        "mutex",
        &["mutex", "lock_guard", "unique_lock"],
        &[
            "thrust/",
            "cub/",
            "future",
            "condition_variable",
            "shared_mutex",
        ],
    ),
    of_std(
        "atomic",
        &["atomic"],
        &["thrust/", "cub/", "future", "mutex", "thread", "barrier"],
    ),
    of_std("list", &["list"], &[]),
    of_std("deque", &["deque"], &["queue", "stack"]),
    of_std("queue", &["queue", "priority_queue"], &[]),
    Header {
        since_7: true,
        ..of_c(
            "cstring",
            &[
                "memset", "memcpy", "memmove", "memcmp", "strcmp", "strlen", "strcpy", "strncmp",
            ],
            &[
                "string.h", "string", "iostream", "fstream", "sstream", "thrust/", "cub/",
            ],
        )
    },
    Header {
        since_7: true,
        ..of_c("cassert", &["assert"], &["assert.h"])
    },
];

/// Functions that device code has without a header.
const HOST_ONLY: &[&str] = &["isfinite", "isnan", "isinf", "signbit"];

/// The headers by the names that they declare.
static BY_NAME: LazyLock<WordMap<Vec<&'static Header>>> = LazyLock::new(|| {
    let mut map = WordMap::<Vec<_>>::default();
    for header in HEADERS.iter().chain(&BROUGHT) {
        for name in header.names {
            map.or_default(name.as_bytes()).push(header);
        }
    }
    map
});

/// The headers that declare a word; those of cuBLAS and cuSPARSE by its prefix.
pub(crate) fn headers_of(word: &[u8]) -> &'static [&'static Header] {
    static OF_BLAS: &[&Header] = &[&BROUGHT[2]];
    static OF_SPARSE: &[&Header] = &[&BROUGHT[3]];
    let is_of = |prefix: &[u8]| {
        let rest = word.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_uppercase))
    };
    match BY_NAME.get(word) {
        Some(headers) => headers,
        // `cublasLtMatmul` is of another header.
        None if is_of(b"cublas") && !is_of(b"cublasLt") && !is_of(b"cublasXt") => OF_BLAS,
        None if is_of(b"cusparse") && !is_of(b"cusparseLt") => OF_SPARSE,
        None => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_the_headers_that_declare_them() {
        let cases: [(&str, &[&str]); 9] = [
            ("FLT_MAX", &["cfloat"]),
            ("vector", &["vector"]),
            ("isnan", &["math.h"]),
            ("__half2", &["hip/hip_fp16.h"]),
            ("cublasSgemm", &["hipblas/hipblas.h"]),
            ("cublasLtMatmul", &[]),
            ("cublasXtSgemm", &[]),
            ("cusparseCreate", &["hipsparse/hipsparse.h"]),
            ("cublas", &[]),
        ];
        for (word, expected) in cases {
            let found = headers_of(word.as_bytes());
            let found: Vec<&str> = found.iter().map(|header| header.path).collect();
            assert_eq!(found, expected, "{word}");
        }
    }

    #[test]
    fn no_header_is_listed_among_those_that_bring_it_twice() {
        for header in HEADERS.iter().chain(&BROUGHT) {
            let mut also = header.also.to_vec();
            also.sort_unstable();
            also.dedup();
            assert_eq!(also.len(), header.also.len(), "{}", header.path);
        }
    }
}
