//! Constants and types of CUDA's driver interface by their form: the families that a new release adds members to.
//!
//! `CU_X` and `CUx` alone say little (CUnit has `CU_ASSERT`, a class may be called `CUser`), so the word behind them must be one that the
//! driver's headers use.

/// `CU_DEVICE_ATTRIBUTE_…`: the words behind `CU_` in `cuda.h`, `cudaEGL.h` and their kin, sorted. `LOG`, `OUT`, `PARAM`, `USER` and the
/// like, of one or two constants each, are words that projects use too.
#[rustfmt::skip]
const CONSTANTS: &[&[u8]] = &[
    b"ACCESS", b"AD", b"ARRAY", b"ASYNC", b"ATOMIC", b"CLUSTER", b"COMPUTE", b"COMPUTEMODE",
    b"COREDUMP", b"CTX", b"CUBEMAP", b"D3D10", b"D3D11", b"D3D9", b"DEV", b"DEVICE", b"EGL",
    b"EVENT", b"EXEC", b"EXTERNAL", b"FLUSH", b"FUNC", b"FUNCTION", b"GL", b"GPU", b"GRAPH",
    b"GRAPHICS", b"GREEN", b"IPC", b"JIT", b"KERNEL", b"LAUNCH", b"LIBRARY", b"LIMIT", b"MEM",
    b"MEMCPY", b"MEMHOSTALLOC", b"MEMHOSTREGISTER", b"MEMORYTYPE", b"MEMPOOL", b"MODULE",
    b"MULTICAST", b"OCCUPANCY", b"POINTER", b"PREFER", b"PROCESS", b"RES", b"RESOURCE", b"SHARED",
    b"SHAREDMEM", b"STREAM", b"SYNC", b"TARGET", b"TENSOR", b"TR", b"TRSA", b"TRSF",
];

/// `CUmemPoolProps`: the words behind `CU` in types, sorted.
#[rustfmt::skip]
const TYPES: &[&[u8]] = &[
    b"access", b"address", b"array", b"async", b"atomic", b"checkpoint", b"cig", b"cluster",
    b"computemode", b"context", b"coredump", b"ctx", b"dev", b"device", b"deviceptr", b"devprop",
    b"driver", b"egl", b"event", b"exec", b"extent", b"external", b"filter", b"flush", b"func",
    b"function", b"graph", b"graphics", b"green", b"ipc", b"jit", b"kern", b"kernel", b"launch",
    b"library", b"limit", b"link", b"logs", b"mem", b"memcpy", b"memory", b"memorytype",
    b"mipmapped", b"module", b"multicast", b"occupancy", b"pointer", b"process", b"resource",
    b"resourcetype", b"result", b"sharedconfig", b"stream", b"surf", b"surfref", b"synchronization",
    b"tensor", b"tex", b"texref", b"uuid",
];

/// Whether a name is of the form of the driver's constants and types: `CU_LIMIT_NEW`, `CUgraphNewParams`, `CUDA_NEW_NODE_PARAMS`.
pub(super) fn is_of_driver(name: &[u8]) -> bool {
    match name.strip_prefix(b"CU") {
        Some([b'_', rest @ ..]) => is_constant(rest),
        Some([b'D', b'A', b'_', rest @ ..]) => is_structure(rest),
        Some(rest) => is_type(rest),
        None => false,
    }
}

fn is_constant(rest: &[u8]) -> bool {
    let mut words = rest.splitn(2, |byte| *byte == b'_');
    let is_family = words.next().is_some_and(|word| has(CONSTANTS, word));
    is_family && words.next().is_some_and(is_constants_name)
}

fn is_constants_name(name: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    !name.is_empty() && name.iter().all(is_part)
}

/// What stands behind `CUDA_`: a structure of parameters or a description, or an element type (`R_8F_E4M3`).
fn is_structure(rest: &[u8]) -> bool {
    let is_element = || matches!(rest, [b'R' | b'C', b'_', digit, ..] if digit.is_ascii_digit());
    let of_version = rest.iter().rposition(|byte| *byte == b'v');
    let name = match of_version {
        Some(at) if at > 0 && rest[at - 1] == b'_' => &rest[..at - 1],
        _ => rest,
    };
    let ends = [
        &b"_NODE_PARAMS"[..],
        b"_NODE_PARAMS_st",
        b"_DESC",
        b"_DESC_st",
    ];
    is_element() || ends.iter().any(|end| name.ends_with(end))
}

fn is_type(rest: &[u8]) -> bool {
    let length = rest
        .iter()
        .take_while(|byte| byte.is_ascii_lowercase())
        .count();
    has(TYPES, &rest[..length])
}

fn has(list: &[&[u8]], word: &[u8]) -> bool {
    list.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::ApiTable;

    #[test]
    fn what_the_next_release_may_bring_is_of_the_driver() {
        for name in [
            "CU_DEVICE_ATTRIBUTE_NEW",
            "CU_LIMIT_NEW",
            "CUgraphNewParams",
            "CUmemPool_v9",
            "CUDA_NEW_NODE_PARAMS",
            "CUDA_NEW_NODE_PARAMS_v2",
            "CUDA_R_3F_E1M1",
        ] {
            assert!(is_of_driver(name.as_bytes()), "{name}");
        }
        for name in [
            "CU_ASSERT",
            "CU_LOG_X",
            "CUser",
            "CUtils",
            "CUDA_CHECK",
            "CU_MEM",
            "CU_MEM_x",
        ] {
            assert!(!is_of_driver(name.as_bytes()), "{name}");
        }
        assert!(CONSTANTS.is_sorted() && TYPES.is_sorted());
    }

    /// Each family with more than two members in the tables is one here, so that rows for a new release bring their families.
    #[test]
    fn the_families_are_those_of_the_tables() {
        let table = ApiTable::builtin();
        let mut families = std::collections::BTreeMap::<&str, Vec<&str>>::new();
        let names = table.iter().map(|hit| hit.entry.cuda);
        for name in names.filter(|name| name.starts_with("CU_")) {
            let end = name[3..].find('_').unwrap_or_default() + 3;
            families.entry(&name[..end]).or_default().push(name);
        }
        for (family, members) in families {
            // Those of cuFile have a pattern, and `CU_GET_…` may be anybody's.
            let is_open = members.len() < 3 || matches!(family, "CU_FILE" | "CU_GET" | "CU_");
            assert!(is_open || is_of_driver(members[0].as_bytes()), "{family}");
        }
    }
}
