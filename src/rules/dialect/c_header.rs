//! A header that is C in CUDA and C++ on AMD, where a C compiler reads it.
//!
//! ## Why on AMD
//! `curand.h`, `cudnn.h`, `cublasLt.h` and `cusparse.h` can be included by C programs. Of their counterparts in ROCm 6.4 some cannot:
//! `hiprand/hiprand.h` names `__half`, which only C++ sees, `miopen/miopen.h` uses a structure without `struct`, `hipblaslt/hipblaslt.h`
//! includes `<memory>`, the headers of small floating-point types are full of templates. Where one type is all that is missing, it is
//! declared for C in front of the include.
//!
//! ## Example
//! ```cuda
//! /* net.c */
//! #include <cudnn.h>
//! ```
//! becomes
//! ```hip
//! /* net.c */
//! #if !defined(__cplusplus) && !defined(CASS_MIOPEN_IN_C)
//! #define CASS_MIOPEN_IN_C /* miopen/miopen.h names it without `struct` */
//! typedef struct miopenTensorArgument_t miopenTensorArgument_t;
//! #endif
//! #include <miopen/miopen.h>
//! ```
//! What is full of C++ is to be compiled as C++ (`hipcc -x c++ -c net.c`), or the calls are moved into a C++ file behind functions with
//! `extern "C"`.
//!
//! ## When to ignore
//! When these `.c` files are compiled as C++ already.
//!
//! ## Source
//! Each header behind `-D__HIP_PLATFORM_AMD__` with gcc 12 and clang 19 as C, ROCm 6.4.

use crate::compat::{LACKING_IN_C, LackingInC};
use crate::rules::prelude::*;
use crate::text::line_start;

/// Declares the type that is missing, or reports the include.
pub static RULE: Rule = Rule {
    code: "CASS133",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 60,
    facts: &[Fact::WantsCpp],
    checks: &[Check::Include(check)],
};

/// Headers of ROCm 6.4 that no C compiler reads.
const CPP: &[&str] = &[
    "hip/hip_bf16.h",
    "hip/hip_fp8.h",
    "hipblaslt/hipblaslt.h",
    "hiprand/hiprand.h",
    "hiprand/hiprand_kernel.h",
    "miopen/miopen.h",
    "rocrand/rocrand.h",
    "rocsparse/rocsparse.h",
];

fn check(include: &Include, cx: &mut Context<'_, '_>) {
    let written = cx.text_of(include.path).into_owned();
    let becomes = cx
        .table()
        .header(written.as_bytes())
        .and_then(|hit| hit.entry.hip);
    let Some(header) = CPP
        .iter()
        .find(|header| Some(**header) == becomes || **header == written)
    else {
        return;
    };
    let lacking = LACKING_IN_C.iter().find(|it| it.header == *header);
    let is_declared = |it: &LackingInC| cx.doc.macros_called(it.mark.as_bytes()).next().is_some();
    if lacking.is_some_and(is_declared) {
        return;
    }
    let readers = c_files(cx);
    let Some(first) = readers.first() else { return };
    let others = match readers.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    if let Some(lacking) = lacking {
        let message = format!(
            "`{header}` lacks a type in C, and C files reach this include: {first}{others}"
        );
        let finding = RULE
            .finding(include.directive, message)
            .severity(Severity::Info);
        return cx.report(finding.fix(Fix::safe(vec![declared(cx, include, lacking)])));
    }
    let finding = RULE
        .finding(include.directive, format!("`{header}` is C++, and C files reach this include: {first}{others}"))
        .help("compile those files as C++ (`-x c++`, or CMake's property LANGUAGE CXX), or keep the calls in a C++ file behind functions with `extern \"C\"` and take the include out of what C files read");
    cx.report(finding);
}

/// The declaration for C, on lines of its own in front of the include.
fn declared(cx: &Context<'_, '_>, include: &Include, lacking: &LackingInC) -> Edit {
    let newline = cx.doc.newline();
    let start = line_start(&cx.doc.source.bytes, include.directive.start);
    Edit::insert(start, lacking.lines().map(|line| line + newline).concat())
}

/// The C files that read this one: itself, or those that include it.
fn c_files(cx: &Context<'_, '_>) -> Vec<String> {
    let path = cx.doc.source.path.as_str();
    if cx.project.holds(path) {
        return cx
            .project
            .c_files(path)
            .into_iter()
            .map(str::to_owned)
            .collect();
    }
    let is_c = path.ends_with(".c")
        && !cx
            .doc
            .includes
            .iter()
            .any(|include| crate::project::includes::is_cpp(&cx.text_of(include.path)));
    is_c.then(|| path.to_owned()).into_iter().collect()
}
