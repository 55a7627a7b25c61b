//! A name or header of CUDA in code that a condition gives to AMD alone.
//!
//! ## Why on AMD
//! What stands under `#ifdef USE_ROCM` or `#ifdef __HIP_PLATFORM_AMD__` is its author's port and is not edited. A build for AMD compiles
//! it, and neither clang nor ROCm's headers know CUDA's names.
//!
//! ## Example
//! ```cuda
//! #ifdef USE_ROCM
//! #include <hip/hip_runtime.h>
//! void wait(hipStream_t s) { cudaStreamSynchronize(s); }
//! #endif
//! ```
//!
//! ## When to ignore
//! When something outside of the tree gives the name a meaning: a header of stubs, hipify during the build.
//!
//! ## Source
//! The tables in `mappings/`; ROCm 6.4 headers.

use crate::rules::prelude::*;

/// Reports each name once.
pub static RULE: Rule = Rule {
    code: "CASS016",
    severity: Severity::Error,
    fix: None,
    priority: 90,
    facts: &[],
    checks: &[Check::Event(check)],
};

fn check(event: &Event<'_>) -> Option<Finding> {
    let &Event::CudaForAmd { range, entry, uses } = event else {
        return None;
    };
    let times = if uses > 1 {
        format!(" ({uses} uses)")
    } else {
        String::new()
    };
    let name = entry.cuda;
    let message = format!("`{name}` is a CUDA name in code that only AMD compiles{times}");
    let help = match (entry.hip, entry.kind) {
        (Some(hip), Kind::Header) => format!("include `{hip}` there"),
        (Some(hip), _) => format!("write `{hip}` there"),
        (None, Kind::Header) => "leave the include out there; ROCm has no such header".to_owned(),
        (None, _) => entry.note.unwrap_or("ROCm has no counterpart").to_owned(),
    };
    Some(RULE.finding(range, message).help(help))
}
