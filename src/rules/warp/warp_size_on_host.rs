//! A host that asks the device for the size of a warp.
//!
//! ## Why on AMD
//! The answer is 64 on CDNA. Translated device code keeps warps of 32 lanes, so a host that launches as many threads, divides a block or
//! sizes shared memory by the answer does not fit the kernel: a block of 64 threads around a reduction of 32 lanes gives half of the
//! sum. On all GPUs of CUDA the answer is 32, which is what the host computes with from now on.
//!
//! ## Example
//! ```cuda
//! cudaDeviceGetAttribute(&lanes, cudaDevAttrWarpSize, device);
//! row_sums<<<rows, lanes>>>(a, sums, n);
//! row_sums<<<rows, prop.warpSize>>>(a, sums, n);
//! ```
//! becomes
//! ```hip
//! lanes = 32;
//! row_sums<<<rows, lanes>>>(a, sums, n);
//! row_sums<<<rows, 32>>>(a, sums, n);
//! ```
//! The value is followed through the variables of the function. It stays where it is shown, where it is about occupancy, where the
//! kernel that it reaches has nothing to do with warps, and where the project itself says, for AMD, that a warp has 64 lanes. A
//! question that is no statement of its own is reported.
//!
//! `C10_WARP_SIZE` of PyTorch is a function of the host on AMD, and no constant: `constexpr int threads = C10_WARP_SIZE;` does not compile
//! there. It is 32 where the kernels of the file exchange values among 32 lanes.
//!
//! ## When to ignore
//! When the number is about the hardware, such as a table of its properties that is shown later.
//!
//! ## Source
//! HIP documentation, warp size.

use crate::analysis::warp_size;
use crate::analysis::wavefront::is_hip_source;
use crate::cpp::calls::{enclosing_call, trusted_call};
use crate::cpp::declarations::declared;
use crate::cpp::lanes::{is_host_constant, is_host_constant_of_32};
use crate::cpp::names::is_for_preprocessor;
use crate::cpp::names::is_members_name;
use crate::cpp::statements::whole_statement;
use crate::options::WarpMode;
use crate::rules::prelude::*;

/// Says 32 where the host's answer reaches what kernels do with warps.
pub static RULE: Rule = Rule {
    code: "CASS205",
    severity: Severity::Info,
    fix: Some(Applicability::Review),
    priority: 10,
    facts: &[],
    checks: &[Check::Idents(
        &[
            "warpSize",
            "cudaDevAttrWarpSize",
            "CU_DEVICE_ATTRIBUTE_WARP_SIZE",
            "C10_WARP_SIZE",
        ],
        check,
    )],
};

const HELP: &str = "write 32 where the number has to agree with what kernels do with warps, such as the threads of a block or the \
                    size of shared memory for each warp";

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    if cx.warp() == WarpMode::Native || is_hip_source(cx.doc) || is_for_preprocessor(cx.doc, index)
    {
        return;
    }
    let finding = match cx.doc.bytes(index) {
        b"warpSize" => property(cx, index),
        b"C10_WARP_SIZE" => constant(cx, index),
        _ => attribute(cx, index),
    };
    if let Some(finding) = finding {
        cx.report(finding);
    }
}

/// `constexpr int threads = C10_WARP_SIZE;`
fn constant(cx: &Context<'_, '_>, index: TokenIndex) -> Option<Finding> {
    let doc = cx.doc;
    if !cx.is_torch() || !is_host_constant(doc, index) {
        return None;
    }
    let range = cx.range(index);
    let message = "`C10_WARP_SIZE` is a function of the host in PyTorch for ROCm, and no constant";
    let finding = RULE.finding(range, message);
    Some(match is_host_constant_of_32(doc, index) {
        true => finding.fix(Fix::review(vec![Edit::replace(range, "32")])),
        false => finding
            .severity(Severity::Error)
            .help("write 32 where the kernels count by 32 lanes, or take at::cuda::warp_size() when the program runs"),
    })
}

/// `prop.warpSize`
fn property(cx: &Context<'_, '_>, index: TokenIndex) -> Option<Finding> {
    let doc = cx.doc;
    if !is_members_name(doc, index) || doc.call(index).is_some() || doc.next_is(index, "=") {
        return None;
    }
    let first = start_of_object(doc, index)?;
    if !is_of_properties(doc, first, index) {
        return None;
    }
    if !warp_size::reaches_kernels(cx, first..index + 1) {
        return None;
    }
    let range = doc.range(first, index);
    let message = format!(
        "`{}` is 64 on CDNA, and kernels keep warps of 32 lanes",
        cx.text_of(range)
    );
    let finding = RULE.finding(range, message);
    // A call in the object does more than say which device it is about.
    Some(if (first..index).any(|at| doc.is(at, "(")) {
        finding.severity(Severity::Warning).help(HELP)
    } else {
        finding.fix(Fix::review(vec![Edit::replace(range, "32")]))
    })
}

/// Whether a member may be the one of `cudaDeviceProp`: no name of a scope, `Traits::warpSize`, and not of an object of another type.
fn is_of_properties(doc: &Document<'_>, first: TokenIndex, index: TokenIndex) -> bool {
    if doc.is_before(index, "::") || doc.is(first, "this") {
        return false;
    }
    // `cudaDeviceProp`, and what programs call it: `DeviceProperties`.
    let may_be_properties = |word: &&[u8]| {
        *word == b"auto"
            || word
                .to_ascii_lowercase()
                .windows(4)
                .any(|part| part == b"prop")
    };
    let is_variable = doc.next(first).and_then(|at| doc.next(at)) == Some(index);
    let object = declared(doc, first).filter(|_| is_variable);
    object.is_none_or(|object| object.words.iter().any(may_be_properties))
}

/// The first token of `a.b->warpSize`.
fn start_of_object(doc: &Document<'_>, index: TokenIndex) -> Option<TokenIndex> {
    let mut at = index;
    while let Some(before) = doc.prev(at) {
        match doc.bytes(before) {
            b"." | b"->" | b"::" => {
                let mut object = doc.prev(before)?;
                while matches!(doc.bytes(object), b"]" | b")") {
                    object = doc.matching_bracket(object)?;
                    let named = doc
                        .prev(object)
                        .filter(|&name| doc.is_ident(name) || doc.is(name, "]"));
                    object = named.unwrap_or(object);
                }
                at = object;
            }
            _ => break,
        }
    }
    Some(at)
}

/// `cudaDeviceGetAttribute(&lanes, cudaDevAttrWarpSize, device);`
fn attribute(cx: &Context<'_, '_>, index: TokenIndex) -> Option<Finding> {
    let doc = cx.doc;
    const ASKED: [&[u8]; 2] = [b"cudaDeviceGetAttribute", b"cuDeviceGetAttribute"];
    let name = enclosing_call(doc, index).filter(|&name| ASKED.contains(&doc.bytes(name)))?;
    let call = trusted_call(doc, name).filter(|call| call.arguments.len() == 3)?;
    let place = call.arguments[0].clone();
    let variable =
        (doc.is(place.start, "&") && place.len() >= 2).then(|| place.start + 1..place.end);
    let is_name =
        |tokens: &std::ops::Range<TokenIndex>| tokens.len() == 1 && doc.is_ident(tokens.start);
    if let Some(name) = variable.clone().filter(is_name)
        && !warp_size::variable_reaches_kernels(cx, name.start)
    {
        return None;
    }
    let finding = RULE.finding(
        cx.range(index),
        "the answer is 64 on CDNA, and kernels keep warps of 32 lanes",
    );
    let fix = variable.and_then(|variable| {
        let statement = trimmed(cx, whole_statement(doc, name)?);
        let text = cx.text_of(doc.range(variable.start, variable.end - 1));
        Some(Fix::review(vec![Edit::replace(
            statement,
            format!("{text} = 32;"),
        )]))
    });
    Some(match fix {
        Some(fix) => finding.fix(fix),
        None => finding.severity(Severity::Warning).help(HELP),
    })
}

/// A statement without the blanks of its lines.
fn trimmed(cx: &Context<'_, '_>, range: TextRange) -> TextRange {
    let text = cx.doc.source.slice(range);
    let start = text.len() - text.trim_ascii_start().len();
    let end = text.trim_ascii_end().len();
    TextRange::new(range.start + start as u32, range.start + end as u32)
}
