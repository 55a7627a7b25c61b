//! `case` labels with error codes.

use crate::analysis::unit::Unit;
use crate::mapping::{ApiEntry, Kind};
use crate::syntax::{Document, TokenIndex};

/// Whether the identifier is the name in a `case` that this rule speaks of.
pub(crate) fn speaks_of(cx: &Unit<'_, '_>, name: TokenIndex) -> bool {
    let case = cx.doc.prev(name).filter(|&at| cx.doc.is(at, "case"));
    case.and_then(|at| label(cx.doc, at)).is_some()
        && enumerator(cx, name).is_some_and(|entry| target_of(cx, entry).is_none())
}

pub(crate) fn target_of(cx: &Unit<'_, '_>, entry: &ApiEntry) -> Option<&'static str> {
    let target = entry.target(&cx.options().choices, cx.options().rocm, None)?;
    Some(target.name)
}

/// `case name:`
pub(crate) fn label(doc: &Document<'_>, case: TokenIndex) -> Option<(TokenIndex, TokenIndex)> {
    let name = doc.next(case).filter(|&at| doc.is_ident(at))?;
    let colon = doc.next(name).filter(|&at| doc.is(at, ":"))?;
    Some((name, colon))
}

pub(crate) fn enumerator<'c>(cx: &Unit<'c, '_>, name: TokenIndex) -> Option<&'c ApiEntry> {
    let entry = cx.table().get(cx.doc.bytes(name))?.entry;
    (entry.kind == Kind::Enumerator && is_code(entry) && !cx.is_own(cx.doc.bytes(name)))
        .then_some(entry)
}

/// Error codes of the runtime and driver, and statuses of libraries whose status type becomes one of AMD's.
pub(super) fn is_code(entry: &ApiEntry) -> bool {
    match entry.library {
        "runtime" | "driver" => entry.cuda.to_ascii_uppercase().contains("ERROR"),
        "blas" | "sparse" | "solver" | "rand" | "dnn" => entry.cuda.contains("_STATUS_"),
        "rtc" => entry.cuda.contains("_ERROR_"),
        // The codes of cuFFT have no word in common.
        "fft" => FFT_CODES.iter().any(|code| entry.cuda.contains(code)),
        _ => false,
    }
}

const FFT_CODES: &[&str] = &[
    "INVALID",
    "FAIL",
    "ERROR",
    "UNALIGNED",
    "INCOMPLETE",
    "NO_WORKSPACE",
    "NOT_",
    "MISSING",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::ApiTable;
    use crate::text::SourceFile;

    #[test]
    fn codes_are_told_from_other_enumerators() {
        let table = ApiTable::builtin();
        for (name, expected) in [
            ("cudaErrorInvalidValue", true),
            ("CUDA_ERROR_INVALID_VALUE", true),
            ("CUBLAS_STATUS_NOT_INITIALIZED", true),
            ("CUFFT_INVALID_PLAN", true),
            ("CUFFT_FORWARD", false),
            ("CUBLAS_OP_N", false),
            ("cudaMemcpyHostToDevice", false),
        ] {
            let hit = table.get(name.as_bytes()).expect("it is in the tables");
            assert_eq!(is_code(hit.entry), expected, "{name}");
        }
    }

    #[test]
    fn a_label_is_one_name_and_a_colon() {
        for (text, expected) in [
            ("case A: break;", true),
            ("case 1: break;", false),
            ("case A + 1: break;", false),
        ] {
            let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
            assert_eq!(
                label(&Document::new(&source), 0).is_some(),
                expected,
                "{text}"
            );
        }
    }
}
