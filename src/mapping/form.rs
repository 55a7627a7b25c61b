//! Names of CUDA's form: what a release after the tables would call its functions, types and constants.

use super::driver_form::is_of_driver;

/// Prefixes of NVIDIA's C interfaces with the key of their library. What follows a prefix of lower case begins with a capital letter
/// (`cudaMalloc`, `cuInit`), so that a program's `cudas` and `cublas_handle` are none. Longer prefixes come first.
const PREFIXES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/library_prefixes.rs"));

/// The library that a name belongs to by its form: `cudaX…`, `cublasX…`, `cuX…`, `CUDNN_X…`, `CU_DEVICE_X…`, `__nv_x…`; `None` for every
/// other word.
pub(crate) fn library_by_form(name: &[u8]) -> Option<&'static str> {
    if !matches!(name.first(), Some(b'c' | b'C' | b'n' | b'N')) {
        let rest = name.strip_prefix(b"__nv_");
        let is_type = rest
            .and_then(<[u8]>::first)
            .is_some_and(u8::is_ascii_lowercase);
        return is_type.then_some("device");
    }
    let fits = |(prefix, _): &&(&str, &str)| {
        let rest = name.strip_prefix(prefix.as_bytes());
        rest.and_then(<[u8]>::first)
            .is_some_and(u8::is_ascii_uppercase)
    };
    PREFIXES
        .iter()
        .find(fits)
        .map(|(_, library)| *library)
        .or_else(|| is_of_driver(name).then_some("driver"))
        .filter(|_| !is_guard(name) && !is_part(name))
}

/// A name that ends with an underscore is for a macro to finish: `MY_UNIQUE_NAME(nvtxRange_)`.
fn is_part(name: &[u8]) -> bool {
    name.ends_with(b"_")
}

/// Device functions of HIP (6.4, `hip/amd_detail`) that CUDA has not, or not under this name: what this tool writes uses some.
const OF_HIP: &[&[u8]] = &[
    b"__ballot64",
    b"__barrier",
    b"__bitextract_u32",
    b"__bitextract_u64",
    b"__bitinsert_u32",
    b"__bitinsert_u64",
    b"__clock",
    b"__clock64",
    b"__fns32",
    b"__fns64",
    b"__get_dynamicgroupbaseptr",
    b"__lane_id",
    b"__lanemask_eq",
    b"__lanemask_gt",
    b"__lanemask_lt",
    b"__lastbit_u32_u64",
    b"__local_to_generic",
    b"__match_all",
    b"__match_any",
    b"__mbcnt_hi",
    b"__mbcnt_lo",
    b"__named_sync",
    b"__smid",
    b"__to_local",
    b"__work_group_barrier",
];

/// Functions of Microsoft's compiler (its list of intrinsics for x64) that code for both sides calls in its branch for the host.
const OF_MSVC: &[&[u8]] = &[
    b"__debugbreak",
    b"__emul",
    b"__emulu",
    b"__lzcnt",
    b"__lzcnt16",
    b"__lzcnt64",
    b"__mulh",
    b"__popcnt",
    b"__popcnt16",
    b"__popcnt64",
    b"__rdtsc",
    b"__shiftleft128",
    b"__shiftright128",
    b"__umulh",
];

/// Whether a name is of the form of the device's functions: `__vabsdiffu2`, `__nv_fp128_sin`. Words of compilers, of the C library and
/// of HIP have that form too, so such a name says something only where device code calls it.
pub(crate) fn is_intrinsic_by_form(name: &[u8]) -> bool {
    const OTHERS: &[&[u8]] = &[
        b"builtin",
        b"hip",
        b"amd",
        b"ock",
        b"ocml",
        b"llvm",
        b"atomic",
        b"sync_",
        b"has_",
        b"is_",
        b"asm",
        b"attr",
        b"decl",
        b"c11",
        b"opencl",
        b"spirv",
        b"cass",
        b"assert",
        b"func",
        b"typeof",
        b"pragma",
        b"extension",
        b"align",
        b"real",
        b"imag",
        b"scoped",
        b"int128",
        b"uint128",
        b"float128",
    ];
    name.strip_prefix(b"__").is_some_and(|rest| {
        rest.first().is_some_and(u8::is_ascii_lowercase)
            && !rest.ends_with(b"_")
            && !OTHERS.iter().any(|other| rest.starts_with(other))
            && [OF_HIP, OF_MSVC]
                .iter()
                .all(|list| list.binary_search(&name).is_err())
    })
}

/// Include guards, and the names that `bin2c` and its kin give to a header's text.
fn is_guard(name: &[u8]) -> bool {
    [
        &b"_h"[..],
        b"_h_len",
        b"_H",
        b"_H_",
        b"_H__",
        b"_HPP",
        b"_HPP_",
        b"_CUH",
        b"_CUH_",
    ]
    .iter()
    .any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_counts_with_a_capital_letter_behind_it() {
        for (name, library) in [
            ("cudaFooBar", Some("runtime")),
            ("cublasNewGemm", Some("blas")),
            ("cublasLtNew", Some("blaslt")),
            ("cuNewCall", Some("driver")),
            ("CUBLAS_NEW_THING", Some("blas")),
            ("cudas", None),
            ("cublas_handle", None),
            ("custom", None),
            ("CUDNN_H", None),
            ("cuComplex_h_len", None),
            ("CUDA_CHECK", None),
            ("nvtxRange_", None),
            ("__nv_newtype", Some("device")),
            ("CUDART_NEW_F", Some("runtime")),
            ("CU_LIMIT_NEW", Some("driver")),
        ] {
            assert_eq!(library_by_form(name.as_bytes()), library, "{name}");
        }
        assert!(is_intrinsic_by_form(b"__vnewadd4"));
        assert!(!is_intrinsic_by_form(b"__builtin_expect"));
        assert!(!is_intrinsic_by_form(b"__restrict__"));
        assert!(!is_intrinsic_by_form(b"__uint128_t"));
        assert!(OF_HIP.is_sorted() && OF_MSVC.is_sorted());
        assert!(!is_intrinsic_by_form(b"__umulh"));
        assert!(!is_intrinsic_by_form(b"__lane_id"));
    }
}
