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
//! Where the file exchanges nothing between lanes, `warpSize` stays and the first place that takes lanes apart is reported. With
//! `--warp native` it stays, and constant expressions are reported.
//!
//! ## When to ignore
//! When the code only cuts a block into chunks of any size and nothing that it calls works on a warp.
//!
//! ## Source
//! HIP documentation, warp size; HIP 7 changes document.

use crate::analysis::lane_mask;
use crate::analysis::rename::is_members_name;
use crate::options::WarpMode;
use crate::rules::prelude::*;

/// Writes 32 for `warpSize` where lanes are exchanged.
pub static RULE: Rule = Rule {
    code: "CASS204",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    triggers: &[Trigger::Idents(&["warpSize"])],
    check,
};

fn check(at: At<'_>, cx: &mut Context<'_, '_>) {
    let At::Ident(index) = at else { return };
    let elsewhere = is_members_name(cx.doc, index)
        || cx.doc.next_is(index, "::")
        || lane_mask::is_tested(cx.doc, index)
        || !cx.may_be_device(index)
        || lane_mask::is_hip_source(cx.doc)
        || uses_matrix_cores(cx.doc);
    if elsewhere {
        return;
    }
    let finding = match cx.options().warp {
        WarpMode::Native => constant(cx, index),
        WarpMode::Logical32 => logical(cx, index),
    };
    if let Some(finding) = finding {
        cx.report(finding);
    }
}

fn logical(cx: &Context<'_, '_>, index: TokenIndex) -> Option<Finding> {
    let range = cx.range(index);
    if lane_mask::exchanges(cx.doc) || is_constant(cx.doc, index) {
        let edit = Edit::replace(range, "32");
        return Some(
            RULE.finding(range, "`warpSize` is 32 in CUDA, and 64 on some AMD GPUs")
                .fix(Fix::safe(vec![edit])),
        );
    }
    let first = cx.doc.all("warpSize").find(|&at| takes_apart(cx.doc, at));
    (first == Some(index)).then(|| {
        RULE.finding(range, "`warpSize` is 64 on CDNA, and this takes lanes apart")
            .severity(Severity::Warning)
            .help("write 32 if what this calls works on warps of 32 lanes, as translated shuffles and votes do; see that host code computes with the same number")
    })
}

/// With `--warp native` the value is right at run time, but has none at compile time from ROCm 7.0.
fn constant(cx: &Context<'_, '_>, index: TokenIndex) -> Option<Finding> {
    let fails = Version::new(7, 0) <= cx.options().rocm;
    is_constant(cx.doc, index).then(|| {
        RULE.finding(
            cx.range(index),
            "`warpSize` is no constant expression from ROCm 7.0",
        )
        .severity(if fails {
            Severity::Error
        } else {
            Severity::Warning
        })
        .help("make the size a template parameter that the host chooses by hipDeviceAttributeWarpSize, or allocate for 64")
    })
}

/// rocWMMA works on whole wavefronts: there `warpSize` is what it should be.
fn uses_matrix_cores(doc: &Document<'_>) -> bool {
    let names = ["wmma", "nvcuda", "rocwmma"];
    names.iter().any(|name| doc.all(name).next().is_some())
}

/// `tid % warpSize`, `tid / warpSize`, `tid & (warpSize - 1)`.
fn takes_apart(doc: &Document<'_>, index: TokenIndex) -> bool {
    let operator = |at: TokenIndex| matches!(doc.bytes(at), b"%" | b"/" | b"&");
    doc.prev(index).is_some_and(|prev| {
        operator(prev)
            || (doc.is(prev, "(")
                && doc.next_is(index, "-")
                && doc.prev(prev).is_some_and(operator))
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
            b"]" | b")" => at = doc.partner(prev).unwrap_or(prev),
            b"[" => {
                in_bound = true;
                at = prev;
            }
            _ => at = prev,
        }
    }
    false
}
