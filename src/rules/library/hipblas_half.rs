//! A file that passes `__half` to hipBLAS, whose own half type is an integer unless a macro says otherwise.
//!
//! ## Why on AMD
//! Up to ROCm 6.4 `hipblasHalf` is `uint16_t`, so `hipblasHgemm` does not take the `__half` pointers of CUDA code. With
//! `HIPBLAS_USE_HIP_HALF` defined before the header it is `__half`.
//!
//! ## Example
//! ```cuda
//! #include <cublas_v2.h>
//! ```
//! becomes
//! ```hip
//! #ifndef HIPBLAS_USE_HIP_HALF
//! #define HIPBLAS_USE_HIP_HALF
//! #endif
//! #include <hipblas/hipblas.h>
//! ```
//!
//! ## When to ignore
//! When the build passes `-DHIPBLAS_USE_HIP_HALF`; the guarded definition does no harm then.
//!
//! ## Source
//! `hipblas/hipblas.h` of ROCm 6.4; hipBLAS change log.

use crate::rules::prelude::*;

/// Defines `HIPBLAS_USE_HIP_HALF` in front of hipBLAS.
pub static RULE: Rule = Rule {
    code: "CASS505",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 45,
    triggers: &[Trigger::Include],
    check,
};

const MACRO: &str = "HIPBLAS_USE_HIP_HALF";

fn check(at: Site<'_>, cx: &mut Context<'_, '_>) {
    let Site::Include(include) = at else { return };
    let path = cx.text_of(include.path);
    let is_cublas = matches!(&*path, "cublas_v2.h" | "cublas.h" | "cublas_api.h");
    let roc = cx.options().choices.blas == crate::mapping::LibraryVendor::Roc;
    if !is_cublas
        || roc
        || !passes_half(cx.doc)
        || cx.doc.macros_called(MACRO.as_bytes()).next().is_some()
    {
        return;
    }
    let text = format!("#ifndef {MACRO}\n#define {MACRO}\n#endif\n");
    let finding = RULE
        .finding(
            include.directive,
            format!("hipBLAS takes `__half` only with `{MACRO}` defined"),
        )
        .fix(Fix::safe(vec![Edit::insert(include.directive.start, text)]));
    cx.report(finding);
}

/// Whether the file calls a function for half, or is a header that knows half: what its includers call is not seen from here.
fn passes_half(doc: &Document<'_>) -> bool {
    let is_source = ["cu", "cpp", "cc", "cxx", "c"]
        .iter()
        .any(|extension| doc.source.path.ends_with(&format!(".{extension}")));
    doc.has_word(|word| {
        let of_half = word.strip_prefix(b"cublasH").is_some_and(|rest| {
            rest.first().is_some_and(u8::is_ascii_lowercase) && !rest.starts_with(b"andle")
        });
        of_half || (!is_source && matches!(word, b"__half" | b"half"))
    })
}
