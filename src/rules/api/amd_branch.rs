//! A name or header of CUDA in code that a condition gives to AMD alone.
//!
//! ## Why on AMD
//! What stands under `#ifdef USE_ROCM` or `#ifdef __HIP_PLATFORM_AMD__` is its author's port and is not edited. A build for AMD compiles
//! it, and neither clang nor ROCm's headers know CUDA's names. A `__CUDA_ARCH__` that is defined there in front of HIP's headers makes
//! them take the host's pass for one of a device (`__HIP_DEVICE_COMPILE__`): rocPRIM stops with "not implemented for current
//! architecture".
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
//! The tables in `mappings/`; ROCm 6.4 headers, `hip/hip_common.h` among them.

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
    let (range, entry, uses) = match *event {
        Event::CudaForAmd { range, entry, uses } => (range, entry, uses),
        Event::ArchForAmd { range } => return Some(of_arch(range)),
        _ => return None,
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

fn of_arch(range: TextRange) -> Finding {
    let message = "`__CUDA_ARCH__` is defined in front of HIP's headers: they take the host's pass for one of a device";
    RULE.finding(range, message)
        .help("define it behind them, or give the code that asks for it a macro of its own")
}
