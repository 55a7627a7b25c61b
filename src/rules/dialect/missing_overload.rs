//! A function that CUDA has for more types, or for more sides, than HIP.
//!
//! ## Why on AMD
//! The name is there, so that nothing looks amiss until the compiler finds no function for these arguments: saturating sums and
//! comparisons of bfloat16, atomics of bits on `long long`, conversions between integers and half on the host.
//!
//! ## Example
//! ```cuda
//! atomicAnd(flags, mask);           // long long *flags
//! ```
//! becomes
//! ```hip
//! atomicAnd(reinterpret_cast<unsigned long long *>(flags), mask);
//! ```
//!
//! ## When to ignore
//! Never: it does not compile.
//!
//! ## Source
//! The headers of CUDA 13.0 and HIP 6.4, compared by `tests/rocm/accepts.py`.

use crate::cpp::calls::trusted_call;
use crate::cpp::declarations::{declared, pointee};
use crate::cpp::names::{is_members_name, is_qualified};
use crate::cpp::short_floats::is_bfloat16;
use crate::rules::prelude::*;
use crate::syntax::Space;

/// Casts, or says what to call.
pub static RULE: Rule = Rule {
    code: "CASS126",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 42,
    facts: &[Fact::NvccReadsResult],
    checks: &[
        Check::Idents(ATOMICS, check),
        Check::Idents(OF_HALF_ALONE, check),
        Check::Idents(CONVERSIONS, check),
    ],
};

const ATOMICS: &[&str] = &[
    "atomicAnd",
    "atomicOr",
    "atomicXor",
    "atomicAnd_system",
    "atomicOr_system",
    "atomicXor_system",
];
/// HIP 6.4 has them for half and not for bfloat16.
const OF_HALF_ALONE: &[&str] = &[
    "__hadd_sat",
    "__hsub_sat",
    "__hmul_sat",
    "__hfma_sat",
    "__hadd2_sat",
    "__hsub2_sat",
    "__hmul2_sat",
    "__hfma2_sat",
    "__hequ2",
    "__hneu2",
    "__hleu2",
    "__hgeu2",
    "__hltu2",
    "__hgtu2",
    "__hmax_nan",
    "__hmin_nan",
];
/// CUDA has them for host and device, HIP 6.4 for the device.
const CONVERSIONS: &[&str] = &[
    "__half2short_rz",
    "__half2ushort_rz",
    "__half2int_rz",
    "__half2uint_rz",
    "__half2ll_rz",
    "__half2ull_rz",
    "__int2half_rn",
    "__int2half_rz",
    "__int2half_rd",
    "__int2half_ru",
    "__short2half_rn",
    "__short2half_rz",
    "__short2half_rd",
    "__short2half_ru",
    "__uint2half_rn",
    "__uint2half_rz",
    "__uint2half_rd",
    "__uint2half_ru",
    "__ushort2half_rn",
    "__ushort2half_rz",
    "__ushort2half_rd",
    "__ushort2half_ru",
    "__ll2half_rn",
    "__ll2half_rz",
    "__ll2half_rd",
    "__ll2half_ru",
    "__ull2half_rn",
    "__ull2half_rz",
    "__ull2half_rd",
    "__ull2half_ru",
];

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let name = doc.source.text(doc.tokens[index].range()).into_owned();
    let is_other = is_members_name(doc, index) || is_qualified(doc, index);
    if is_other || cx.is_own(name.as_bytes()) {
        return;
    }
    let Some(call) = trusted_call(doc, index) else {
        return;
    };
    let finding = match name.as_str() {
        name if ATOMICS.contains(&name) => on_long_long(cx, &call),
        name if CONVERSIONS.contains(&name) => on_the_host(cx, index),
        _ => on_bfloat16(cx, &call),
    };
    if let Some(finding) = finding {
        cx.report(finding);
    }
}

fn on_long_long(cx: &Context<'_, '_>, call: &Call) -> Option<Finding> {
    let address = call.arguments.first()?.clone();
    let words = pointee(cx.doc, address.clone())?;
    let longs = words.iter().filter(|word| **word == b"long").count();
    let is_signed = longs == 2 && !words.contains(&b"unsigned".as_slice());
    if !is_signed && !words.contains(&b"int64_t".as_slice()) {
        return None;
    }
    let message = format!("HIP has no `{}` for `long long`", cx.text(call.name));
    let range = cx.doc.range(address.start, address.end - 1);
    let edits = vec![
        Edit::insert(range.start, "reinterpret_cast<unsigned long long *>("),
        Edit::insert(range.end, ")"),
    ];
    Some(
        RULE.finding(cx.range(call.name), message)
            .fix(Fix::safe(edits)),
    )
}

fn on_the_host(cx: &Context<'_, '_>, index: TokenIndex) -> Option<Finding> {
    let function = cx.doc.scopes().enclosing(index)?;
    let is_template = function.head.clone().any(|at| cx.doc.is(at, "template"));
    let is_host = function.name.is_some() && function.space == Space::Host && !is_template;
    if !is_host || cx.may_be_device(index) {
        return None;
    }
    let message = format!("`{}` is a device function in HIP", cx.text(index));
    let finding = RULE
        .finding(cx.range(index), message)
        .severity(Severity::Error);
    Some(finding.help("convert by way of float: `__float2half(x)`, `__half2float(h)`"))
}

fn on_bfloat16(cx: &Context<'_, '_>, call: &Call) -> Option<Finding> {
    let first = call.arguments.first().filter(|words| words.len() == 1)?;
    let declared = declared(cx.doc, first.start)?;
    if declared.pointers > 0 || !declared.words.iter().any(|word| is_bfloat16(word)) {
        return None;
    }
    let message = format!("HIP has no `{}` for bfloat16", cx.text(call.name));
    let finding = RULE.finding(cx.range(call.name), message);
    let finding = finding.severity(Severity::Error);
    Some(finding.help("do it in float: `__bfloat162float`, the operation, `__float2bfloat16`"))
}
