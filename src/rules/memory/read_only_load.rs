//! `__ldg` of a type that HIP's `__ldg` does not take: `bool`, bfloat16, three-element vectors, structures of the project.
//!
//! ## Why on AMD
//! HIP has `__ldg` for arithmetic types, their vectors of two and four, and half. For other types the call does not compile.
//! AMD's vector cache serves all loads alike, so an ordinary load loses nothing.
//!
//! ## Example
//! ```cuda
//! __device__ float get(const __nv_bfloat16 *p, int i) { return __bfloat162float(__ldg(p + i)); }
//! ```
//! becomes
//! ```hip
//! __device__ float get(const __hip_bfloat16 *p, int i) { return __bfloat162float(cass_ldg(p + i)); }
//! ```
//!
//! ## When to ignore
//! Never; where the type is not in sight and HIP's `__ldg` does not take it, the compiler says so.
//!
//! ## Source
//! `hip/amd_detail/hip_ldg.h`, `amd_hip_fp16.h` and `amd_hip_bf16.h` of ROCm 6.4; `torch/headeronly/util/Half.h` of PyTorch 2.11.

use std::ops::Range;

use crate::cpp::declarations::declared;
use crate::cpp::short_floats::is_bfloat16;
use crate::cpp::template_parameters::is_type_parameter;
use crate::mapping::name_lists;
use crate::options::CompatMode;
use crate::rules::prelude::*;
use crate::text::keywords::is_qualifier;

/// Calls the helper that takes every type.
pub static RULE: Rule = Rule {
    code: "CASS400",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 45,
    facts: &[],
    checks: &[Check::Idents(&["__ldg"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let Some(call) = cx.doc.call(index).filter(|call| call.arguments.len() == 1) else {
        return;
    };
    let Some(ty) = pointee(cx.doc, call.arguments[0].clone()) else {
        return;
    };
    if !is_missing(cx, index, &ty) {
        return;
    }
    let message = format!(
        "HIP has no overload of `__ldg` for `{}`",
        String::from_utf8_lossy(&ty)
    );
    let finding = RULE.finding(cx.range(index), message);
    let is_operand = [".", "->", "["]
        .iter()
        .any(|text| cx.doc.next_is(call.close, text));
    cx.report(match cx.options().compat {
        CompatMode::None if is_operand => finding
            .severity(Severity::Error)
            .help("read through the pointer: `*p` is the same load on AMD"),
        CompatMode::None => finding.fix(Fix::safe(vec![Edit::replace(cx.range(index), "*")])),
        _ => finding
            .fix(Fix::safe(vec![Edit::replace(cx.range(index), "cass_ldg")]))
            .helper("cass_ldg"),
    });
}

/// The type that the argument points at, when it is a variable, an element of one, or a cast.
fn pointee(doc: &Document<'_>, argument: Range<TokenIndex>) -> Option<Vec<u8>> {
    let first = argument.start;
    if doc.is(first, "(") {
        let close = doc.matching_bracket(first)?;
        let is_cast = doc.is_before(close, "*") && close + 1 < argument.end;
        return is_cast.then(|| last_word(doc, first + 1..close)).flatten();
    }
    if doc.is(first, "reinterpret_cast") {
        let close = doc.template_close(first + 1)?;
        return last_word(doc, first + 2..close);
    }
    let is_element = doc.is(first, "&");
    let variable = first + usize::from(is_element);
    let end = match doc.matching_bracket(variable + 1) {
        Some(close) if is_element && doc.is(variable + 1, "[") => close + 1,
        _ => variable + 1,
    };
    // `&a[i].member` and `a->member` have types that are declared elsewhere.
    let is_plain = end == argument.end || (!is_element && doc.is(end, "+"));
    if !doc.is_ident(variable) || !is_plain {
        return None;
    }
    let declared = declared(doc, variable).filter(|declared| declared.pointers == 1)?;
    declared.words.last().map(|word| word.to_vec())
}

fn last_word(doc: &Document<'_>, tokens: Range<TokenIndex>) -> Option<Vec<u8>> {
    let mut words = tokens.filter(|&at| doc.is_ident(at) && !is_qualifier(doc.bytes(at)));
    words.next_back().map(|at| doc.bytes(at).to_vec())
}

/// A type of the list, a structure of this file, or a template parameter in a file that knows bfloat16 or that PyTorch builds.
fn is_missing(cx: &Context<'_, '_>, index: TokenIndex, ty: &[u8]) -> bool {
    if is_bfloat16(ty)
        || name_lists()
            .not_loaded_read_only
            .iter()
            .any(|name| name.as_bytes() == ty)
    {
        return !cx.is_own(ty);
    }
    let doc = cx.doc;
    let structures = doc.noted_of("structure", ty, |at| {
        doc.is_before(at, "struct") && doc.next_is(at, "{")
    });
    let is_structure = !structures.is_empty();
    let knows_bfloat = || doc.has_word(|word| memchr::memmem::find(word, b"bfloat16").is_some());
    // PyTorch dispatches over its own types, whose `__ldg` of half is for NVIDIA alone.
    let takes_more = || cx.is_torch() || knows_bfloat();
    is_structure || (is_type_parameter(cx.doc, index, ty) && takes_more())
}
