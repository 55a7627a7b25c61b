//! A type of data where hipBLAS takes a type of computation.
//!
//! ## Why on AMD
//! `cublasGemmEx` and the like took a `cudaDataType` for how to compute until CUDA 11, and in C++ cuBLAS still has that overload.
//! hipBLAS of ROCm 6 takes a `hipblasComputeType_t` alone: "no matching function for call to 'hipblasGemmEx'". An enumerator in the
//! call is translated; what a variable holds is only known at run time, where a helper asks for it.
//!
//! ## Example
//! ```cuda
//! cudaDataType compute = CUDA_R_32F;
//! cublasGemmEx(handle, n, n, m, n, k, a, A, CUDA_R_16F, m, B, CUDA_R_16F, k, b, C, CUDA_R_16F, m, compute, algo);
//! ```
//! becomes
//! ```hip
//! hipDataType compute = HIP_R_32F;
//! hipblasGemmEx(handle, n, n, m, n, k, a, A, HIP_R_16F, m, B, HIP_R_16F, k, b, C, HIP_R_16F, m, cass_compute_type(compute), algo);
//! ```
//!
//! ## When to ignore
//! Never: the call does not compile. In extensions of PyTorch, and without helpers, declare the variable otherwise.
//!
//! ## Source
//! `cublas_api.h` of CUDA 13.0, `cublasMigrateComputeType`; `hipblas.h` of ROCm 6.4.

use crate::cpp::declarations::declared;
use crate::rules::prelude::*;

/// Makes a type of computation of the variable; in an extension of PyTorch, whose build renames the call and knows no types, points at it,
/// and at an enumerator too.
pub static RULE: Rule = Rule {
    code: "CASS591",
    severity: Severity::Error,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::Idents(
        &[
            "cublasGemmEx",
            "cublasGemmEx_64",
            "cublasGemmBatchedEx",
            "cublasGemmBatchedEx_64",
            "cublasGemmStridedBatchedEx",
            "cublasGemmStridedBatchedEx_64",
        ],
        check,
    )],
};

/// Types of data, and how cuBLAS computes where it is given them.
const COMPUTES: &[(&str, &str)] = &[
    ("CUDA_R_32F", "CUBLAS_COMPUTE_32F"),
    ("CUDA_R_32I", "CUBLAS_COMPUTE_32I"),
    ("CUDA_R_64F", "CUBLAS_COMPUTE_64F"),
];

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let is_taken = cx.options().rocm >= Version::new(6, 0) && !cx.is_own(doc.bytes(index));
    let Some(call) = doc.call(index).filter(|_| is_taken) else {
        return;
    };
    // The type is the last argument but one.
    let argument = call.arguments.iter().rev().nth(1).cloned();
    let Some(name) = argument.filter(|it| it.len() == 1 && doc.is_ident(it.start)) else {
        return;
    };
    let name = name.start;
    let of_data = COMPUTES.iter().find(|(data, _)| doc.is(name, data));
    if let Some((data, computes)) = of_data.filter(|_| cx.is_torch()) {
        let message = format!("hipBLAS takes a type of computation in the place of `{data}`");
        let help = format!("write `{computes}`, which is what cuBLAS of CUDA 11 makes of it");
        let finding = RULE.finding(cx.range(name), message).help(help);
        return cx.report(finding);
    }
    if declared(doc, name).is_some_and(|it| it.is_any(&["cudaDataType", "cudaDataType_t"])) {
        let message = format!(
            "`{}` is a type of data, and hipBLAS takes a type of computation",
            cx.text(name)
        );
        let range = cx.range(name);
        let finding = RULE.finding(range, message).help(
            "declare it as `cublasComputeType_t`, with values such as `CUBLAS_COMPUTE_32F` for `CUDA_R_32F`: CUDA 11 takes that too, and it is translated",
        );
        if cx.is_torch() {
            return cx.report(finding);
        }
        let edits = vec![
            Edit::insert(range.start, "cass_compute_type("),
            Edit::insert(range.end, ")"),
        ];
        let finding = finding.severity(Severity::Info);
        cx.report(finding.helper("cass_compute_type").fix(Fix::safe(edits)));
    }
}
