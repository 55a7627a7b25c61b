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
//! In an extension of PyTorch the definition stands in front of all includes, under `USE_ROCM`.
//!
//! ## When to ignore
//! When the build passes `-DHIPBLAS_USE_HIP_HALF`; the guarded definition does no harm then. Of an extension of PyTorch whose scripts pass
//! it nothing is said.
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
    facts: &[],
    checks: &[Check::Include(check)],
};

const MACRO: &str = "HIPBLAS_USE_HIP_HALF";

fn check(include: &Include, cx: &mut Context<'_, '_>) {
    if cx.is_torch() {
        return check_for_torch(include, cx);
    }
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

/// PyTorch's headers bring hipBLAS as well, so that the macro goes in front of the first include of a source that calls such a function.
fn check_for_torch(include: &Include, cx: &mut Context<'_, '_>) {
    let is_first = cx
        .doc
        .includes
        .first()
        .is_some_and(|it| it.token == include.token);
    let is_defined = cx.doc.macros_called(MACRO.as_bytes()).next().is_some();
    // The owner of a port has it in the options.
    let is_passed = cx.project.builds.scripts.define_half;
    if !is_first || is_defined || is_passed || !is_source(cx.doc) || !cx.doc.has_word(is_of_half) {
        return;
    }
    let text = format!("#if defined(USE_ROCM) && !defined({MACRO})\n#define {MACRO}\n#endif\n");
    let message = format!("hipBLAS takes `__half` only with `{MACRO}` defined");
    let point = outside_conditions(cx.doc, include.directive.start);
    let finding = RULE
        .finding(include.directive, message)
        .fix(Fix::safe(vec![Edit::insert(point, text)]));
    cx.report(finding);
}

/// The place itself, or the start of the outermost condition around it.
fn outside_conditions(doc: &Document<'_>, place: u32) -> u32 {
    let starts = doc.branches.around(place).map(|branch| branch.start);
    let Some(start) = starts.min() else {
        return place;
    };
    let mut directives = doc.directives.iter();
    let opens = directives.rfind(|it| it.range.end <= start);
    opens.map_or(place, |it| it.range.start)
}

/// Whether a file is none that others include.
fn is_source(doc: &Document<'_>) -> bool {
    ["cu", "cpp", "cc", "cxx", "c"]
        .iter()
        .any(|extension| doc.source.path.ends_with(&format!(".{extension}")))
}

/// Whether a name is that of a function of cuBLAS for half.
fn is_of_half(word: &[u8]) -> bool {
    word.strip_prefix(b"cublasH").is_some_and(|rest| {
        rest.first().is_some_and(u8::is_ascii_lowercase) && !rest.starts_with(b"andle")
    })
}

/// Whether the file calls a function for half, or is a header that knows half: what its includers call is not seen from here.
fn passes_half(doc: &Document<'_>) -> bool {
    let is_source = is_source(doc);
    doc.has_word(|word| is_of_half(word) || (!is_source && matches!(word, b"__half" | b"half")))
}
