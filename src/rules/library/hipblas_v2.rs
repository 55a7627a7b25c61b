//! A file that includes hipBLAS and needs its second interface, which ROCm 6 hides behind a macro.
//!
//! ## Why on AMD
//! From ROCm 6.0 to 6.4 `hipblas.h` declares the `Ex` functions with `hipDataType` and the complex functions with `hipComplex`
//! only where `HIPBLAS_V2` is defined before it; CUDA code passes `CUDA_R_32F` and `cuComplex` to them. ROCm 7 has only the second
//! interface.
//!
//! ## Example
//! ```cuda
//! #include <cublas_v2.h>
//! ```
//! becomes
//! ```hip
//! #ifndef HIPBLAS_V2
//! #define HIPBLAS_V2
//! #endif
//! #include <hipblas/hipblas.h>
//! ```
//!
//! ## When to ignore
//! When the build passes `-DHIPBLAS_V2`; the guarded definition does no harm then.
//!
//! ## Source
//! `hipblas/hipblas.h` of ROCm 6.4; hipBLAS change log for ROCm 6.0 and 7.0.

use crate::analysis::brought_headers::brought;
use crate::cpp::blas_interface::uses_second_interface;
use crate::rules::prelude::*;
use crate::text::line_start;

/// Defines `HIPBLAS_V2` in front of hipBLAS for ROCm 6.
pub static RULE: Rule = Rule {
    code: "CASS590",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 45,
    facts: &[Fact::DoneByTorch, Fact::DoneByShim],
    checks: &[Check::Include(check)],
};

fn check(include: &Include, cx: &mut Context<'_, '_>) {
    let hidden = Version::new(6, 0) <= cx.options().rocm && cx.options().rocm < Version::new(7, 0);
    let path = cx.text_of(include.path);
    // hipBLAS is included where another header brought cuBLAS as well.
    let is_cublas = matches!(&*path, "cublas_v2.h" | "cublas.h" | "cublas_api.h")
        || brought(cx, &path).contains(&"cublas_v2.h");
    let roc = cx.options().choices.blas == crate::mapping::LibraryVendor::Roc;
    if !hidden
        || !is_cublas
        || roc
        || cx.doc.macros_called(b"HIPBLAS_V2").next().is_some()
        || !(is_header(cx.doc) || needs_it(cx))
    {
        return;
    }
    // The include may be indented; what stands in front of it stays in front of the first line.
    let start = include.directive.start;
    let line = line_start(&cx.doc.source.bytes, start);
    let indent = cx.text_of(TextRange::new(line, start));
    let indent = indent.trim_matches(|include| include != ' ' && include != '\t');
    let text = format!("#ifndef HIPBLAS_V2\n{indent}#define HIPBLAS_V2\n{indent}#endif\n{indent}");
    let finding = RULE
        .finding(
            include.directive,
            "hipBLAS needs `HIPBLAS_V2` for the types of CUDA's `Ex` and complex functions",
        )
        .fix(Fix::safe(vec![Edit::insert(include.directive.start, text)]));
    cx.report(finding);
}

/// What a header's includers call is not seen from here.
fn is_header(doc: &Document<'_>) -> bool {
    !["cu", "cpp", "cc", "cxx", "c"]
        .iter()
        .any(|extension| doc.source.path.ends_with(&format!(".{extension}")))
}

/// Whether a source calls functions of the second interface, or a header of the project that it includes does, by a macro or in a
/// template: hipBLAS is read once, as it is included first.
fn needs_it(cx: &Context<'_, '_>) -> bool {
    uses_second_interface(cx.doc) || cx.project.sees_second_interface(&cx.doc.source.path)
}
