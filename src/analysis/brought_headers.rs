//! Headers of CUDA's libraries that bring those of others, as AMD's do not.

use crate::analysis::unit::Unit;

/// A header, the library that it brings, and the header by which that is included: CUDA 13.0, held against hipBLASLt and hipSOLVER of
/// ROCm 6.4.
const BRINGING: &[(&str, &str, &str)] = &[
    ("cublasLt.h", BLAS, "cublas_v2.h"),
    ("cusolverDn.h", BLAS, "cublas_v2.h"),
    ("cusolverSp.h", BLAS, "cublas_v2.h"),
    ("cusolverSp.h", "sparse", "cusparse.h"),
];

const BLAS: &str = "blas";

/// The headers of CUDA that one brings to a file which names something of their library and includes no header of it.
pub(crate) fn brought(cx: &Unit<'_, '_>, path: &str) -> Vec<&'static str> {
    let includes = |names: &[&str]| {
        let mut all = cx.doc.includes.iter();
        all.any(|it| names.iter().any(|name| cx.text_of(it.path).ends_with(name)))
    };
    let is_missing = |library: &str, header: &str| {
        let is_of = |word: &[u8]| {
            let hit = cx.table().get(word);
            hit.is_some_and(|hit| hit.entry.library == library)
        };
        // The other headers of cuBLAS have one counterpart.
        let is_there = includes(&[header])
            || library == BLAS && includes(&["cublas.h", "cublas_api.h", "cublasXt.h"]);
        !is_there && cx.doc.has_word(is_of)
    };
    let rows = BRINGING
        .iter()
        .filter(|(by, library, header)| *by == path && is_missing(library, header));
    rows.map(|(_, _, header)| *header).collect()
}
