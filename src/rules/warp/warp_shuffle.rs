//! A warp shuffle: its mask goes, and an explicit width keeps groups of 32 lanes.
//!
//! ## Why on AMD
//! HIP has `__shfl_down(v, d, width)` and the like in every release. The forms with a mask exist from ROCm 7.0 (6.2 behind a
//! macro) and take 64-bit masks only, so a 32-bit mask does not compile. Where no width is given it is the size of the
//! wavefront, 64 lanes on CDNA and 32 on RDNA; a reduction that starts at distance 16 would add half of the lanes. With
//! width 32 each half of a 64-lane wavefront does what a warp of CUDA does, and the results are the same on all chips.
//!
//! Lanes run in step, so nothing has to be synchronised: the mask of a call that all named lanes reach selects nothing.
//!
//! ## Example
//! ```cuda
//! v += __shfl_down_sync(0xffffffff, v, 16);
//! w = __shfl_sync(mask, w, 0, 8);
//! ```
//! becomes
//! ```hip
//! v += __shfl_down(v, 16, 32);
//! w = __shfl(w, 0, 8);
//! ```
//! Where the value is of a type that HIP does not shuffle, such as `__nv_bfloat16`, the call becomes `cass_shfl_down_sync` of the
//! helper header. With `--warp native` no width is added, and each call is reported.
//!
//! CUDA takes distances modulo 32: `__shfl_up_sync(mask, v, 33)` reads the lane before, HIP's function gives the lane its own value. A
//! number of 32 and more is written modulo 32; with `--strict-math` `& 31` stands behind a distance that is no number.
//!
//! Where the function or what calls it counts lanes by the size of the wave, `C10_WARP_SIZE` or `at::cuda::warp_size()` of PyTorch or a macro that
//! is 64 on AMD, 32 lanes would lose half of the values: the call becomes `cass_wave_shfl_down_sync`, which spans the wave on AMD and
//! is CUDA's function on NVIDIA. Where such code counts by 32 as well, it is an error.
//!
//! ## When to ignore
//! The finding about a mask of some lanes or a computed one: when all lanes whose values are read reach the call together with their readers. This is
//! so when the mask was computed by a ballot of the condition that guards the call.
//!
//! ## Source
//! `hip/amd_detail/amd_warp_functions.h` and `amd_warp_sync_functions.h` of ROCm 6.4; CUDA C++ Programming Guide, warp shuffle
//! functions.

use std::ops::Range;

use crate::analysis::lane_mask::{self, Mask};
use crate::analysis::shuffle_mask::{droppable, mask_and_comma};
use crate::analysis::warp_size;
use crate::analysis::wavefront::means_wavefront;
use crate::cpp::calls::trusted_call;
use crate::cpp::lanes::has_mask_for_amd;
use crate::cpp::names::is_for_preprocessor;
use crate::cpp::names::is_members_name;
use crate::options::CompatMode;
use crate::options::WarpMode;
use crate::rules::prelude::*;
use crate::text::number::integer;

/// Turns shuffles of CUDA into those that every ROCm has.
pub static RULE: Rule = Rule {
    code: "CASS200",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 30,
    facts: &[Fact::DoneByShimLine],
    checks: &[Check::Claimed(
        &[
            "__shfl_sync",
            "__shfl_up_sync",
            "__shfl_down_sync",
            "__shfl_xor_sync",
            "__shfl",
            "__shfl_up",
            "__shfl_down",
            "__shfl_xor",
        ],
        check,
    )],
};

const MIXED_HELP: &str = "lanes are counted here by 32 and by the size of the wave (`C10_WARP_SIZE`, `at::cuda::warp_size()`, or a macro that is 64 on AMD), \
                          so that values of half of a wave are lost: count by one of both";
const STEP_HELP: &str = "HIP 6.4 takes no mask here; check that each lane whose value is read reaches this call together with \
                         its readers, which a mask made by a ballot of the guarding condition ensures";
const CALLERS_HELP: &str = "the mask is a parameter, which HIP 6.4 has no use for: what matters is that callers reach this call with all lanes whose \
                            values are read";
const NATIVE_HELP: &str = "it now spans the whole wavefront, 64 lanes on CDNA: check distances, loops that start at 16, and \
                           what lane 0 does with the result; pass a width to keep smaller groups";

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    if is_members_name(cx.doc, index) || is_for_preprocessor(cx.doc, index) {
        return;
    }
    let word = cx.doc.bytes(index);
    let call = cx.doc.call(index);
    if word.ends_with(b"_sync") && call.is_some_and(|call| has_mask_for_amd(cx.doc, &call)) {
        return;
    }
    let base = word.strip_suffix(b"_sync").map(String::from_utf8_lossy);
    let around = warp_size::around(cx, index);
    let by_wave = cx.warp() == WarpMode::Logical32 && around.wave;
    let finding = match base {
        Some(base) if by_wave && !around.by_32 => Some(of_wave(cx, index, &base)),
        Some(base) => masked(cx, index, &base).map(|finding| or_mixed(finding, by_wave)),
        None if by_wave && !around.by_32 => None,
        None => unmasked(cx, index).map(|finding| or_mixed(finding, by_wave)),
    };
    if let Some(finding) = finding {
        cx.report(finding);
    }
}

/// An exchange of the whole wave, where the code counts lanes by the wave.
fn of_wave(cx: &Context<'_, '_>, index: TokenIndex, base: &str) -> Finding {
    let helper = match base {
        "__shfl" => "cass_wave_shfl_sync",
        "__shfl_up" => "cass_wave_shfl_up_sync",
        "__shfl_down" => "cass_wave_shfl_down_sync",
        _ => "cass_wave_shfl_xor_sync",
    };
    let finding = RULE.finding(
        cx.range(index),
        format!("`{base}_sync` becomes `{helper}`: lanes are counted by the size of the wave here"),
    );
    if cx.options().compat == CompatMode::None {
        return finding.severity(Severity::Error).help(format!(
            "write `{base}` without mask: its width is the wave where none is given"
        ));
    }
    finding
        .helper(helper)
        .fix(Fix::safe(vec![Edit::replace(cx.range(index), helper)]))
}

/// An exchange among 32 lanes in code that counts by the wave and by 32.
fn or_mixed(finding: Finding, by_wave: bool) -> Finding {
    if by_wave {
        finding.severity(Severity::Error).help(MIXED_HELP)
    } else {
        finding
    }
}

/// `__shfl_down_sync(mask, value, delta[, width])`.
fn masked(cx: &Context<'_, '_>, index: TokenIndex, base: &str) -> Option<Finding> {
    let Some(call) = droppable(cx, index) else {
        return Some(with_helper(cx, index, base));
    };
    let native = cx.warp() == WarpMode::Native;
    let mut edits = vec![
        Edit::replace(cx.range(index), base.to_owned()),
        Edit::delete(mask_and_comma(cx, &call)),
    ];
    edits.extend(distance(cx, base, &call.arguments[2]));
    if call.arguments.len() == 3 && !native {
        edits.push(width(cx, &call));
    }
    let mask = lane_mask::mask(cx, call.arguments[0].clone());
    let finding = RULE.finding(
        cx.range(index),
        format!("`{base}_sync` becomes `{base}` without mask"),
    );
    Some(match (native && call.arguments.len() == 3, mask) {
        (true, _) => finding
            .severity(Severity::Warning)
            .help(NATIVE_HELP)
            .fix(Fix::review(edits)),
        (false, Mask::Whole) => finding.fix(Fix::safe(edits)),
        (false, Mask::Callers) => finding.help(CALLERS_HELP).fix(Fix::review(edits)),
        (false, Mask::Other) => RULE
            .finding(
                cx.range(index),
                format!("`{base}_sync` becomes `{base}`, and its mask is dropped"),
            )
            .severity(Severity::Warning)
            .help(STEP_HELP)
            .fix(Fix::review(edits)),
    })
}

/// Takes a distance of 32 and more modulo 32, as CUDA does.
fn distance(cx: &Context<'_, '_>, base: &str, tokens: &Range<TokenIndex>) -> Vec<Edit> {
    if base == "__shfl" || cx.warp() == WarpMode::Native {
        return Vec::new();
    }
    let whole = cx.doc.range(tokens.start, tokens.end - 1);
    let number = (tokens.len() == 1).then(|| integer(cx.doc.bytes(tokens.start)));
    match number.flatten() {
        Some(number) if number > 31 => vec![Edit::replace(whole, (number % 32).to_string())],
        Some(_) => Vec::new(),
        None if !cx.options().strict_math => Vec::new(),
        None if tokens.len() == 1 => vec![Edit::insert(whole.end, " & 31")],
        None => vec![
            Edit::insert(whole.start, "("),
            Edit::insert(whole.end, ") & 31"),
        ],
    }
}

/// Adds `, 32` behind the last argument.
fn width(cx: &Context<'_, '_>, call: &Call) -> Edit {
    let last = &call.arguments[call.arguments.len() - 1];
    Edit::insert(cx.range(last.end - 1).end, ", 32")
}

/// The helper of the same arguments: for macros, odd shapes, and types that HIP does not shuffle.
fn with_helper(cx: &Context<'_, '_>, index: TokenIndex, base: &str) -> Finding {
    let helper = match base {
        "__shfl" => "cass_shfl_sync",
        "__shfl_up" => "cass_shfl_up_sync",
        "__shfl_down" => "cass_shfl_down_sync",
        _ => "cass_shfl_xor_sync",
    };
    let (range, name) = (cx.range(index), format!("{base}_sync"));
    if cx.options().compat == CompatMode::None {
        return RULE
            .finding(range, format!("`{name}` accepts this type or form only in CUDA"))
            .severity(Severity::Error)
            .help(format!(
                "write `{base}` without mask, with width 32, and exchange the value in pieces of int, float, double or half"
            ));
    }
    let finding = RULE
        .finding(range, format!("`{name}` becomes `{helper}`"))
        .helper(helper)
        .fix(Fix::safe(vec![Edit::replace(range, helper)]));
    if cx.warp() == WarpMode::Native {
        finding.severity(Severity::Warning).help(
            "the helper works on groups of 32 lanes; use `__shfl` on pieces of the value for 64",
        )
    } else {
        finding
    }
}

/// `__shfl_down(value, delta)` of CUDA before 9: the same name in HIP, with another default width.
fn unmasked(cx: &Context<'_, '_>, index: TokenIndex) -> Option<Finding> {
    if means_wavefront(cx) {
        return None;
    }
    let call = trusted_call(cx.doc, index).filter(|call| call.arguments.len() == 2)?;
    let name = cx.text(index);
    let finding = RULE.finding(
        cx.range(index),
        format!("`{name}` without width means 32 lanes in CUDA and the wavefront in HIP"),
    );
    Some(match cx.warp() {
        WarpMode::Native => finding.severity(Severity::Warning).help(NATIVE_HELP),
        WarpMode::Logical32 => {
            let mut edits = distance(cx, &name, &call.arguments[1]);
            edits.push(width(cx, &call));
            finding.fix(Fix::safe(edits))
        }
    })
}
