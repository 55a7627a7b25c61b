//! A name of CUDA that the preprocessor pastes together.
//!
//! ## Why on AMD
//! `cuda##call` never shows the whole name in the text, so no table finds it. Where the first part is the prefix of a library
//! whose names on AMD differ from CUDA's by the prefix alone, the prefix can be renamed; the names made from it need a look, because
//! some of them have other spellings or no counterpart.
//!
//! ## Example
//! ```cuda
//! #define CHECKED(call) check(cuda##call)
//! ```
//! becomes
//! ```hip
//! #define CHECKED(call) check(hip##call)
//! ```
//!
//! ## When to ignore
//! When every name that the macro makes is known to keep its second half.
//!
//! ## Source
//! The tables of `mappings/`: hipBLAS, hipFFT, hipRAND, hipSPARSE, hipSOLVER and the HIP runtime follow CUDA's names behind the prefix.

use crate::rules::prelude::*;

/// Renames prefixes that are pasted to a parameter.
pub static RULE: Rule = Rule {
    code: "CASS011",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 50,
    triggers: &[Trigger::Idents(&[
        "cuda",
        "cublas",
        "cufft",
        "curand",
        "cusparse",
        "cusolver",
        "cusolverDn",
        "cudnn",
        "cu",
        "nvrtc",
        "CUBLAS_",
        "CUFFT_",
        "CURAND_",
        "CUSPARSE_",
        "CUDNN_",
        "CUDA_",
        "CU_",
        "CUSOLVER_",
        "NVRTC_",
    ])],
    check,
};

fn check(at: Site<'_>, cx: &mut Context<'_, '_>) {
    let Site::Ident(index) = at else { return };
    if !cx.doc.is(index + 1, "##") {
        return;
    }
    let prefix = cx.text(index).into_owned();
    let target = match prefix.as_str() {
        "cuda" | "cu" => Some("hip"),
        "cublas" => Some("hipblas"),
        "cufft" => Some("hipfft"),
        "curand" => Some("hiprand"),
        "cusparse" => Some("hipsparse"),
        "cusolver" => Some("hipsolver"),
        "cusolverDn" => Some("hipsolverDn"),
        "nvrtc" => Some("hiprtc"),
        "CUBLAS_" => Some("HIPBLAS_"),
        "CUFFT_" => Some("HIPFFT_"),
        "CURAND_" => Some("HIPRAND_"),
        "CUSPARSE_" => Some("HIPSPARSE_"),
        "CUSOLVER_" => Some("HIPSOLVER_"),
        "NVRTC_" => Some("HIPRTC_"),
        _ => None,
    };
    let range = cx.range(index);
    let finding = RULE.finding(
        range,
        format!("the preprocessor pastes names on `{prefix}`"),
    );
    let finding = match target {
        Some(target) => finding
            .help(format!("the prefix became `{target}`; look up each name that the macro makes (`cass-transpile query NAME`), since some have another spelling or no counterpart"))
            .fix(Fix::review(vec![Edit::replace(range, target)])),
        None => finding.severity(Severity::Error).help("write out the names that the macro makes, so that each can be translated"),
    };
    cx.report(finding);
}
