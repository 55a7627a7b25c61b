//! A header that is C in CUDA and C++ on AMD, where a C compiler reads it.
//!
//! ## Why on AMD
//! `curand.h`, `cudnn.h`, `cublasLt.h` and `cusparse.h` can be included by C programs. Of their counterparts in ROCm 6.4 some cannot:
//! `hiprand/hiprand.h` names `__half`, which only C++ sees, `miopen/miopen.h` uses a structure without `struct`, `hipblaslt/hipblaslt.h`
//! includes `<memory>`, the headers of small floating-point types are full of templates.
//!
//! ## Example
//! ```cuda
//! /* net.c */
//! #include <curand.h>
//! ```
//! To be compiled as C++ (`hipcc -x c++ -c net.c`), or the calls are moved into a C++ file behind functions with `extern "C"`.
//!
//! ## When to ignore
//! When these `.c` files are compiled as C++ already.
//!
//! ## Source
//! Each header behind `-D__HIP_PLATFORM_AMD__` with gcc 12 and clang 19 as C, ROCm 6.4.

use crate::rules::prelude::*;

/// Reports the include, once a file.
pub static RULE: Rule = Rule {
    code: "CASS133",
    severity: Severity::Warning,
    fix: None,
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
    let readers = c_files(cx);
    let Some(first) = readers.first() else { return };
    let others = match readers.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let finding = RULE
        .finding(include.directive, format!("`{header}` is C++, and C files reach this include: {first}{others}"))
        .help("compile those files as C++ (`-x c++`, or CMake's property LANGUAGE CXX), or keep the calls in a C++ file behind functions with `extern \"C\"` and take the include out of what C files read");
    cx.report(finding);
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
