//! CUB's functions about the warp itself: its size, the caller's lane, votes.
//!
//! ## Why on AMD
//! hipCUB's functions of these names mean the wavefront: `hipcub::LaneId()` goes to 63 on gfx90a and gfx942, `hipcub::WARP_ALL` asks
//! 64 lanes and passes over its mask, `HIPCUB_WARP_THREADS` is 64. The translation keeps warps of 32 lanes; code that divides its
//! threads by `CUB_PTX_WARP_THREADS` and exchanges values within 32 lanes would mix the two, and compute other numbers in silence.
//!
//! ## Example
//! ```cuda
//! int slot = cub::WarpId() * CUB_PTX_WARP_THREADS + cub::LaneId();
//! ```
//! becomes
//! ```hip
//! int slot = cass_warp_id() * 32 + cass_lane_id32();
//! ```
//!
//! ## When to ignore
//! Never with `--warp logical32`. With `--warp native`, and where the project says for AMD that a warp has 64 lanes, hipCUB's meaning is
//! the one that is wanted, and this rule is silent.
//!
//! ## Source
//! `cub/util_ptx.cuh` of CUB 2.5; `hipcub/backend/rocprim/util_ptx.hpp` and `hipcub/config.hpp` of ROCm 6.4.

use crate::options::{CompatMode, WarpMode};
use crate::rules::prelude::*;

/// Says 32 lanes where CUB means them.
pub static RULE: Rule = Rule {
    code: "CASS517",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[],
    checks: &[Check::Claimed(SIZES, check), Check::Idents(NAMES, check)],
};

/// Macros of the size, those without `PTX` about an architecture.
const SIZES: &[&str] = &[
    "CUB_LOG_WARP_THREADS",
    "CUB_PTX_LOG_WARP_THREADS",
    "CUB_PTX_WARP_THREADS",
    "CUB_WARP_THREADS",
];

const NAMES: &[&str] = &[
    "LaneId",
    "LaneMaskGe",
    "LaneMaskGt",
    "LaneMaskLe",
    "LaneMaskLt",
    "WARP_ALL",
    "WARP_ANY",
    "WARP_BALLOT",
    "WarpId",
    "WarpMask",
];

/// Functions without arguments, and the helpers that mean 32 lanes.
const HELPERS: &[(&str, &str)] = &[
    ("LaneId", "cass_lane_id32"),
    ("LaneMaskGe", "cass_lanemask_ge"),
    ("LaneMaskGt", "cass_lanemask_gt"),
    ("LaneMaskLe", "cass_lanemask_le"),
    ("LaneMaskLt", "cass_lanemask_lt"),
    ("WarpId", "cass_warp_id"),
];

/// Votes: their predicate comes first, the helpers' mask does.
const VOTES: &[(&str, &str)] = &[
    ("WARP_ALL", "cass_all_sync"),
    ("WARP_ANY", "cass_any_sync"),
    ("WARP_BALLOT", "cass_ballot_sync"),
];

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    if cx.is_own(cx.doc.bytes(index)) {
        return;
    }
    let is_native = cx.warp() == WarpMode::Native;
    let finding = match SIZES.contains(&&*cx.text(index)) {
        true if is_native => Some(of_wavefront(cx, index)),
        true => constant(cx, index),
        false if !is_native && is_cubs(cx.doc, index) => function(cx, index),
        false => None,
    };
    if let Some(finding) = finding {
        cx.report(finding);
    }
}

/// `CUB_PTX_WARP_THREADS`, or `CUB_WARP_THREADS(arch)` with what it asks about.
fn constant(cx: &Context<'_, '_>, index: TokenIndex) -> Option<Finding> {
    let name = cx.text(index).into_owned();
    let is_definition = cx.doc.is_before(index, "define");
    let takes_architecture = !name.contains("PTX");
    let range = match cx.doc.call(index) {
        Some(call) if takes_architecture => cx.doc.range(index, call.close),
        _ if takes_architecture || is_definition => return None,
        _ => cx.range(index),
    };
    let value = if name.contains("LOG") { "5" } else { "32" };
    let message =
        format!("`{name}` is {value} in CUDA, and hipCUB counts the lanes of the wavefront");
    let edit = Edit::replace(range, value).without(range);
    Some(RULE.finding(range, message).fix(Fix::safe(vec![edit])))
}

/// The size of the wavefront, which hipCUB has one macro for.
fn of_wavefront(cx: &Context<'_, '_>, index: TokenIndex) -> Finding {
    let (name, range) = (cx.text(index).into_owned(), cx.range(index));
    if name == "CUB_PTX_WARP_THREADS" {
        let finding = RULE.finding(range, format!("`{name}` becomes `HIPCUB_WARP_THREADS`"));
        return finding.fix(Fix::safe(vec![Edit::replace(range, "HIPCUB_WARP_THREADS")]));
    }
    let finding = RULE.finding(range, format!("`{name}` has no counterpart on AMD"));
    finding
        .severity(Severity::Error)
        .help("use HIPCUB_WARP_THREADS, which is 64 on CDNA and 32 on RDNA")
}

fn function(cx: &Context<'_, '_>, index: TokenIndex) -> Option<Finding> {
    let name = cx.text(index).into_owned();
    let range = cx.doc.range(index - 2, index);
    let message = format!("`cub::{name}` means a warp of 32 lanes, `hipcub::{name}` the wavefront");
    let finding = RULE.finding(range, message);
    let by_hand = |help: &str| {
        let finding = RULE.finding(
            range,
            format!("`hipcub::{name}` means the wavefront, 64 lanes on CDNA"),
        );
        Some(finding.severity(Severity::Warning).help(help.to_owned()))
    };
    let helper = |list: &[(&str, &'static str)]| {
        list.iter()
            .find(|(known, _)| *known == name)
            .map(|(_, helper)| *helper)
    };
    if cx.options().compat == CompatMode::None {
        return by_hand(
            "count lanes by 32: `__lane_id() & 31`, the half of `__ballot` that the caller's 32 lanes have",
        );
    }
    if let Some(helper) = helper(HELPERS) {
        let edit = Edit::replace(range, helper).without(range);
        return Some(finding.helper(helper).fix(Fix::safe(vec![edit])));
    }
    let Some((helper, call)) = helper(VOTES).zip(cx.doc.call(index).filter(is_of_two)) else {
        return by_hand("the mask of the caller's warp is 0xffffffff where a warp has 32 lanes");
    };
    let [insertion, deletion] = swapped(cx, &call);
    let name = Edit::replace(range, helper).without(range);
    Some(
        finding
            .helper(helper)
            .fix(Fix::safe(vec![name, insertion, deletion])),
    )
}

/// Whether a call has two arguments, neither of them empty.
fn is_of_two(call: &Call) -> bool {
    call.arguments.len() == 2 && call.arguments.iter().all(|it| !it.is_empty())
}

/// The second of two arguments in front of the first, and away from behind it.
fn swapped(cx: &Context<'_, '_>, call: &Call) -> [Edit; 2] {
    let part = |at: usize| {
        cx.doc
            .range(call.arguments[at].start, call.arguments[at].end - 1)
    };
    let (first, second) = (part(0), part(1));
    let text = format!("{}, ", cx.text_of(second));
    let behind = TextRange::new(first.end, second.end);
    [
        Edit::insert(first.start, text).moving(0, second),
        Edit::delete(behind).without(behind),
    ]
}

/// `cub::LaneId`, which is not converted yet.
fn is_cubs(doc: &Document<'_>, index: TokenIndex) -> bool {
    doc.is_before(index, "::") && index >= 2 && doc.is(index - 2, "cub")
}
