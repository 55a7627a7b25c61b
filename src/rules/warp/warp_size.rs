//! `warpSize` in device code.
//!
//! ## Why on AMD
//! `warpSize` is 64 on CDNA and 32 on RDNA, and from ROCm 7.0 no constant expression. The translation keeps warps of 32 lanes: shuffles
//! have width 32 and votes speak of 32 lanes. A loop that starts at `warpSize / 2`, or a lane taken modulo `warpSize`, has to
//! mean the same 32, which is what the name stands for on all GPUs of CUDA.
//!
//! ## Example
//! ```cuda
//! for (int d = warpSize / 2; d > 0; d /= 2)
//!     v += __shfl_down_sync(0xffffffff, v, d);
//! ```
//! becomes
//! ```hip
//! for (int d = 32 / 2; d > 0; d /= 2)
//!     v += __shfl_down(v, d, 32);
//! ```
//! It stays in functions that use matrix cores, themselves or through others: those work on whole wavefronts. Where the same
//! function exchanges values between 32 lanes as well, a warning asks. It stays too beside `C10_WARP_SIZE`, which is the wave's size. In files where the project itself says, for AMD, that a warp
//! has 64 lanes, and with `--warp native`, it stays; there constant expressions are reported.
//!
//! ## When to ignore
//! Never with `--warp logical32`: 32 is what CUDA computes with.
//!
//! ## Source
//! HIP documentation, warp size; HIP 7 changes document.

use crate::analysis::warp_size;
use crate::options::WarpMode;
use crate::rules::prelude::*;

/// Writes 32 for `warpSize` where lanes are exchanged.
pub static RULE: Rule = Rule {
    code: "CASS204",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Idents(&["warpSize"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    if !warp_size::is_cudas(cx, index) {
        return;
    }
    let finding = match cx.warp() {
        WarpMode::Native => constant(cx, index),
        WarpMode::Logical32 => logical(cx, index),
    };
    if let Some(finding) = finding {
        cx.report(finding);
    }
}

fn logical(cx: &Context<'_, '_>, index: TokenIndex) -> Option<Finding> {
    let around = warp_size::around(cx, index);
    // `::warpSize`
    let colons = cx.doc.prev(index).filter(|&at| cx.doc.is(at, "::"));
    let range = cx.doc.range(colons.unwrap_or(index), index);
    if around.wave {
        return None;
    }
    match (around.matrix, around.exchanges) {
        (true, false) => None,
        (true, true) => Some(
            RULE.finding(range, "`warpSize` is used for matrix tiles (one per wavefront) and for 32-lane exchanges")
                .severity(Severity::Warning)
                .help("write 32 where it is about shuffles, votes or the host's arithmetic with 32, and keep it where each wavefront has a tile"),
        ),
        (false, _) => Some(
            RULE.finding(range, "`warpSize` is 32 in CUDA, and 64 on some AMD GPUs")
                .fix(Fix::safe(vec![Edit::replace(range, "32")])),
        ),
    }
}

/// With `--warp native` the value is right at run time, but has none at compile time from ROCm 7.0.
fn constant(cx: &Context<'_, '_>, index: TokenIndex) -> Option<Finding> {
    let fails = Version::new(7, 0) <= cx.options().rocm;
    is_constant(cx.doc, index).then(|| {
        RULE.finding(
            cx.range(index),
            "`warpSize` is not a constant expression since ROCm 7.0",
        )
        .severity(if fails {
            Severity::Error
        } else {
            Severity::Warning
        })
        .help("make the size a template parameter that the host chooses by hipDeviceAttributeWarpSize, or allocate for 64")
    })
}

/// Whether a constant expression is wanted: the bound of a declared array, a `constexpr`, a template argument.
fn is_constant(doc: &Document<'_>, index: TokenIndex) -> bool {
    if doc.prev_is(index, "<") && doc.next_is(index, ">") {
        return true;
    }
    let (mut at, mut in_bound) = (index, false);
    // Declarations that hold `warpSize` are short; 60 tokens back reach their start.
    for _ in 0..60 {
        let Some(prev) = doc.prev(at) else {
            return false;
        };
        match doc.bytes(prev) {
            b";" | b"{" | b"}" => return false,
            b"constexpr" | b"static_assert" => return true,
            b"__shared__" if in_bound => return true,
            b"]" | b")" => at = doc.matching_bracket(prev).unwrap_or(prev),
            b"[" => {
                in_bound = true;
                at = prev;
            }
            _ => at = prev,
        }
    }
    false
}
