//! What counts as CUDA's public API. A name of its headers is left out for a reason that anyone can check:
//!
//! - it is an operator (the types it is for have entries), an include guard, or reserved for the headers: it starts with `__` or `_X`,
//!   has no entry, and is no device function of a header of intrinsics;
//! - its header is another one's private part (`detail/`, `crt/`, the bodies in `cuda_fp16.hpp` …), a C++ library whose names stand
//!   behind a namespace (`cccl/`, `nvtx3.hpp` …), a generated list of CUPTI's, or another project's (`omp-tools.h`);
//! - it does not carry the prefix of its library, so that tokens do not tell it from a member or a local name.

use super::scan::{Declared, What};

/// Why a name is none that a program should use; `None` if the name itself is no reason.
pub(crate) fn not_public(name: &str) -> Option<&'static str> {
    let reserved = |rest: &str| rest.starts_with(|c: char| c == '_' || c.is_ascii_uppercase());
    if name
        .strip_prefix("operator")
        .is_some_and(|rest| rest.starts_with(|c: char| !c.is_alphanumeric() && c != '_'))
    {
        return Some("an operator: the types it is for have entries");
    }
    if is_guard(name) {
        return Some("an include guard");
    }
    let whole = name.split('.').next().unwrap_or(name);
    (whole.strip_prefix('_').is_some_and(reserved) && !is_intrinsic(name)).then_some(
        "reserved for CUDA's own headers: it starts with `__` or `_X` and is not documented",
    )
}

/// Whether the names of a header are a program's to use.
fn is_public_header(path: &str) -> bool {
    const PRIVATE_FOLDERS: &[&str] = &["detail", "nvtxDetail", "impl", "crt"];
    const NAMESPACED: &[&str] = &[
        "cccl",
        "cub",
        "thrust",
        "cuda",
        "nv",
        "cute",
        "cooperative_groups",
    ];
    const OTHERS: &[&str] = &["omp-tools.h", "nvblas.h"];
    let mut parts: Vec<&str> = path.split('/').collect();
    let file = parts.pop().unwrap_or_default();
    let generated = file.starts_with("generated_") && file.ends_with("_meta.h");
    !parts.iter().any(|part| PRIVATE_FOLDERS.contains(part))
        && !parts.first().is_some_and(|part| NAMESPACED.contains(part))
        && !generated
        && !OTHERS.contains(&file)
        && !file.ends_with(".hpp")
        && !file.ends_with("_helpers.h")
}

/// A name that a program of CUDA may use, by the rules of this module.
pub(super) fn is_public(name: &str, declared: &Declared) -> bool {
    let intrinsic = declared.what.contains(&What::Function)
        && is_intrinsic(name)
        && holds_intrinsics(&declared.header);
    let only_variable = declared.what == [What::Variable];
    let named =
        is_public_header(&declared.header) && not_public(name).is_none() && has_prefix(name);
    !declared.guard && !only_variable && (named || intrinsic)
}

fn is_guard(name: &str) -> bool {
    const ENDS: &[&str] = &[
        "_H",
        "_H_",
        "_H__",
        "_HPP",
        "_HPP_",
        "_HPP__",
        "_h__",
        "_INCLUDED",
    ];
    ENDS.iter().any(|end| name.ends_with(end))
}

/// Headers of device functions that the compiler includes by itself.
fn holds_intrinsics(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    let is_core =
        path.starts_with("crt/") && (file.starts_with("device_") || file.starts_with("sm_"));
    let is_type = ["cuda_fp", "cuda_bf"]
        .iter()
        .any(|start| file.starts_with(start));
    file.ends_with(".h") && (is_core || is_type || file.starts_with("sm_"))
}

/// `__syncwarp`, `__nv_fp128_sin`; not `__internal_float2half`, `__cudaLaunchKernel`, `__HALF_TO_US`.
fn is_intrinsic(name: &str) -> bool {
    const OWN: &[&str] = &[
        "internal_",
        "nv_internal_",
        "cuda",
        "occ",
        "declspec",
        "assert",
        "cdecl",
        "dv",
        "specialization_",
    ];
    name.strip_prefix("__").is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_ascii_lowercase())
            && !rest.ends_with('_')
            && !OWN.iter().any(|own| rest.starts_with(own))
    })
}

/// Names of CUDA's C interfaces carry their library's prefix.
fn has_prefix(name: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "cu",
        "CU",
        "Cupti",
        "make_cu",
        "nccl",
        "NCCL",
        "nvrtc",
        "NVRTC",
        "nvtx",
        "NVTX",
        "nvml",
        "NVML",
        "npp",
        "Npp",
        "NPP",
        "nvjpeg",
        "NVJPEG",
        "nvJitLink",
        "NVJITLINK",
        "NVPA",
        "NVPW",
    ];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_not_public_have_a_reason() {
        for name in [
            "operator+=",
            "CUDATYPEDEFS_H",
            "__VECTOR_TYPES_H__",
            "__internal_float2half",
            "_CONCAT_INNER",
            "__HALF_TO_US",
        ] {
            assert!(not_public(name).is_some(), "{name}");
        }
        for name in [
            "cudaMalloc",
            "__syncwarp",
            "operator_t",
            "CUDA_VERSION",
            "_nonreserved",
        ] {
            assert!(not_public(name).is_none(), "{name}");
        }
    }

    #[test]
    fn headers_that_programs_do_not_include() {
        for path in [
            "crt/host_config.h",
            "cccl/cub/cub.cuh",
            "cuda_fp16.hpp",
            "generated_cuda_meta.h",
            "nvtx3/nvtxDetail/nvtxTypes.h",
        ] {
            assert!(!is_public_header(path), "{path}");
        }
        for path in [
            "cuda_fp16.h",
            "cublas_v2.h",
            "nvtx3/nvToolsExt.h",
            "Openacc/cupti_openacc.h",
        ] {
            assert!(is_public_header(path), "{path}");
        }
    }
}
