//! A warp function that a project keeps for AMD and this release has not, or that reaches over 64 lanes in code of 32.
//!
//! ## Why on AMD
//! What a project wrote for AMD is not edited, nor what it builds for both vendors. `__syncwarp()`, `__activemask()` and the functions with
//! a mask are there from ROCm 7.0 on, before that all but the first where `HIP_ENABLE_WARP_SYNC_BUILTINS` is defined. `__shfl(x, lane)` without a width takes a lane of the whole wave: where code counts
//! in 32 lanes, `threadIdx.x >> 5`, the upper half of a wave of 64 reads the lower half's value.
//!
//! ## Example
//! ```cuda
//! #ifdef USE_ROCM
//! #define BROADCAST(value, lane) __shfl(value, lane)
//! #else
//! #define BROADCAST(value, lane) __shfl_sync(0xffffffff, value, lane)
//! #endif
//! __global__ void k(float *x) { x[threadIdx.x >> 5] = BROADCAST(x[threadIdx.x], 0); }
//! ```
//!
//! ## When to ignore
//! When the build defines `HIP_ENABLE_WARP_SYNC_BUILTINS`, or the code runs on chips with 32 lanes alone.
//!
//! ## Source
//! `amd_warp_sync_functions.h` and `amd_warp_functions.h` of ROCm 6.4 and 7.0.

use crate::rules::WarpLack;
use crate::rules::prelude::*;

/// Says what the function does there.
pub static RULE: Rule = Rule {
    code: "CASS214",
    severity: Severity::Warning,
    fix: None,
    priority: 60,
    facts: &[],
    checks: &[Check::Event(check)],
};

fn check(event: &Event<'_>) -> Option<Finding> {
    let &Event::WarpForAmd { range, name, lack } = event else {
        return None;
    };
    let (message, help) = match lack {
        WarpLack::Width => (
            format!(
                "`{name}` without a width takes a lane of the whole wave, in code that counts in 32 lanes"
            ),
            "write the width behind the lane, `32`; on chips with 64 lanes it is 64 otherwise",
        ),
        WarpLack::Switch => (
            format!(
                "`{name}` is in ROCm before 7.0 only where HIP_ENABLE_WARP_SYNC_BUILTINS is defined"
            ),
            "add -DHIP_ENABLE_WARP_SYNC_BUILTINS to the build for AMD; masks have 64 bits there",
        ),
        WarpLack::Release => (
            format!("`{name}` comes with ROCm 7.0"),
            "before that write `__builtin_amdgcn_wave_barrier()` behind a fence of the wavefront for AMD",
        ),
    };
    Some(RULE.finding(range, message).help(help))
}
