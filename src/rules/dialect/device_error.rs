//! `cudaGetErrorString`, `cudaGetLastError` and their like in a function that device code can call.
//!
//! ## Why on AMD
//! CUDA has them on the device as well, as part of dynamic parallelism. HIP has them for the host alone, so that a
//! `__host__ __device__` function for checking errors does not compile. The helpers are HIP's functions on the host; on the device,
//! where no call of HIP can fail, there is no last error, and the texts are those of the commonest codes.
//!
//! ## Example
//! ```cuda
//! __host__ __device__ void check(cudaError_t e) { if (e) printf("%s\n", cudaGetErrorString(e)); }
//! ```
//! becomes
//! ```hip
//! __host__ __device__ void check(hipError_t e) { if (e) printf("%s\n", cass_error_string(e)); }
//! ```
//!
//! ## When to ignore
//! When the function checks launches of kernels by kernels: those are reported by themselves, and the check goes with them.
//!
//! ## Source
//! `hip/hip_runtime_api.h` of ROCm 6.4; compiled with clang 19: "reference to __host__ function in __host__ __device__ function".

use crate::options::CompatMode;
use crate::rules::prelude::*;
use crate::syntax::Space;

/// Calls the helper of the same arguments.
pub static RULE: Rule = Rule {
    code: "CASS120",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 30,
    facts: &[],
    checks: &[Check::Idents(
        &[
            "cudaGetErrorString",
            "cudaGetErrorName",
            "cudaGetLastError",
            "cudaPeekAtLastError",
        ],
        check,
    )],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let word = cx.doc.bytes(index);
    let in_function = !cx.doc.tokens[index].has(flags::DIRECTIVE) && is_for_device(cx, index);
    if !in_function || cx.is_own(word) || crate::cpp::names::is_members_name(cx.doc, index) {
        return;
    }
    let (helper, help) = match word {
        b"cudaGetErrorString" => ("cass_error_string", TEXT),
        b"cudaGetErrorName" => ("cass_error_name", TEXT),
        b"cudaGetLastError" => ("cass_last_error", STATE),
        _ => ("cass_peek_last_error", STATE),
    };
    let message = format!("`{}` is a host function on AMD", cx.text(index));
    let finding = RULE.finding(cx.range(index), message);
    cx.report(if cx.options().compat == CompatMode::None {
        finding
            .severity(Severity::Error)
            .help("print the number of the error in device code and its text on the host")
    } else {
        finding
            .help(help)
            .helper(helper)
            .fix(Fix::review(vec![Edit::replace(cx.range(index), helper)]))
    });
}

const TEXT: &str =
    "on the device the helper knows the commonest codes; check that nothing compares its text";
const STATE: &str =
    "on the device the helper returns success; move what kernels launch to the host";

/// Whether the innermost function with an execution space, of those around a token, is for the device.
fn is_for_device(cx: &Context<'_, '_>, index: TokenIndex) -> bool {
    let mut around = cx.doc.scopes().around(index);
    around.any(|function| function.body.contains(&index) && function.space != Space::Host)
}
