//! A call that only tunes NVIDIA hardware or libraries: persisting L2 cache, cuBLAS workspaces and SM counts, fast accumulation.
//!
//! ## Why on AMD
//! AMD GPUs have no persisting part of L2, and the libraries of ROCm 6 no such setting. The result of the program does not depend
//! on the call, so it goes.
//!
//! ## Example
//! ```cuda
//! cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, bytes);
//! run<<<grid, block>>>(x);
//! ```
//! becomes
//! ```hip
//! run<<<grid, block>>>(x);
//! ```
//!
//! ## When to ignore
//! Never; where the call is part of an expression, the finding says what to write.
//!
//! ## Source
//! `hip/hip_runtime_api.h`, `hipblas/hipblas.h` and `hipblaslt/hipblaslt.h` of ROCm 6.4; hipBLAS 3.0 change log.

use crate::analysis::rename::renamed;
use crate::cpp::calls::enclosing_call;
use crate::cpp::names::is_members_name;
use crate::cpp::statements::whole_statement;
use crate::rules::prelude::*;

/// Deletes the statement.
pub static RULE: Rule = Rule {
    code: "CASS402",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 10,
    facts: &[Fact::DecidedByPort],
    checks: &[Check::Claimed(NAMES, check)],
};

const NAMES: &[&str] = &[
    "cudaLimitPersistingL2CacheSize",
    "cudaLimitMaxL2FetchGranularity",
    "cudaCtxResetPersistingL2Cache",
    "CU_LIMIT_PERSISTING_L2_CACHE_SIZE",
    "CU_LIMIT_MAX_L2_FETCH_GRANULARITY",
    "cuCtxResetPersistingL2Cache",
    "cublasSetWorkspace",
    "cublasSetWorkspace_v2",
    "cublasSetSmCountTarget",
    "CUBLASLT_MATMUL_DESC_FAST_ACCUM",
    "CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET",
];

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    if is_members_name(cx.doc, index) {
        return;
    }
    let entry = cx.table().get(cx.doc.bytes(index)).map(|hit| hit.entry);
    if let Some(entry) = entry
        && let Some(finding) = renamed(cx, index, entry, rule_of_support(Support::Full).id())
    {
        // The release or library that was chosen has it.
        cx.report(finding);
        return;
    }
    let is_function = cx.doc.next_is(index, "(");
    let call = if is_function {
        Some(index)
    } else {
        enclosing_call(cx.doc, index)
    };
    let message = format!(
        "`{}` is a performance hint without effect on AMD",
        cx.text(index)
    );
    let finding = RULE.finding(cx.range(index), message);
    let finding = match entry {
        Some(entry) => finding.api(cx.api_use(entry, None)),
        None => finding,
    };
    let is_setting = call.is_some_and(|call| is_function || sets_something(&cx.text(call)));
    let statement = call
        .filter(|_| is_setting)
        .and_then(|call| whole_statement(cx.doc, call));
    cx.report(match statement {
        Some(range) => finding
            .help("check that nothing reads what the call set; the result does not depend on it")
            .fix(Fix::review(vec![Edit::delete(range)])),
        None => finding.severity(Severity::Error).help(
            "delete the call: it affects only performance on NVIDIA GPUs; where its status is used, write the status of success",
        ),
    });
}

/// `cudaDeviceSetLimit`, `cublasLtMatmulDescSetAttribute`; a query of the same attribute is logic of the program.
fn sets_something(name: &str) -> bool {
    name.contains("Set")
}
