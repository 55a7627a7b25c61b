//! A function of the project that defines an atomic which HIP has.
//!
//! ## Why on AMD
//! Programs for older GPUs bring `atomicAdd(double*, double)` or `atomicMax(float*, float)` as loops around `atomicCAS`. HIP has these
//! overloads for all chips, so the definition is a redefinition and does not compile. It is kept for NVIDIA and hidden from
//! AMD; all calls then mean HIP's function.
//!
//! ## Example
//! ```cuda
//! __device__ float atomicMax(float *address, float value) { … }
//! ```
//! becomes
//! ```hip
//! #ifndef __HIP_PLATFORM_AMD__ // HIP has this atomic
//! __device__ float atomicMax(float *address, float value) { … }
//! #endif
//! ```
//!
//! ## When to ignore
//! An overload for other values, `atomicAdd(float*, c10::Half)`, stays. When both do the same. Look at functions that return something else than the old value, and at what they do with NaN.
//!
//! ## Source
//! `hip/amd_detail/amd_hip_atomic.h` of ROCm 6.4.

use crate::analysis::conditions::verdict::is_in_branch_about;
use crate::cpp::conditions::cuda_macros::Family;
use crate::cpp::expressions::holds_comment;
use crate::rules::prelude::*;
use crate::syntax::FunctionScope;
use crate::text::{line_start, next_line};

/// Hides definitions of atomics that HIP has.
pub static RULE: Rule = Rule {
    code: "CASS222",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    priority: 20,
    facts: &[Fact::DecidedByPort],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    let found: Vec<Finding> = cx
        .doc
        .scopes()
        .iter()
        .filter_map(|function| redefinition(cx, function))
        .collect();
    found.into_iter().for_each(|finding| cx.report(finding));
}

fn redefinition(cx: &Context<'_, '_>, function: &FunctionScope) -> Option<Finding> {
    let doc = cx.doc;
    let name = function.name.filter(|&name| is_atomic(doc.bytes(name)))?;
    let call = doc.call(name)?;
    let text = cx.text(name);
    let ty = parameter_type(doc, call.arguments.first()?.clone())?;
    let arity = if *text == *"atomicCAS" { 3 } else { 2 };
    let is_template = function.head.clone().any(|at| doc.is(at, "template"));
    if is_template || call.arguments.len() != arity || !has(&text, ty) || is_scoped(doc, name) {
        return None;
    }
    // `atomicAdd(float*, c10::Half)` is an overload that neither vendor has.
    if takes_half(doc, call.arguments.last()?.clone()) {
        return None;
    }
    // `#if __CUDA_ARCH__ < 600` around the famous one: the rule about such conditions hides the branch.
    if *text == *"atomicAdd" && ty == "double" && is_in_branch_about(cx, name, Family::Arch) {
        return None;
    }
    let range = cx.range(name);
    let finding = RULE
        .finding(range, format!("HIP declares `{text}` for {ty} itself"))
        .help(
            "check that callers expect the old value, and no other treatment of NaN or signed zero",
        );
    let lines = whole_lines(cx, function);
    Some(match lines {
        Some((start, end)) => finding
            .fix(Fix::review(vec![
                Edit::insert(
                    start,
                    "#ifndef __HIP_PLATFORM_AMD__ // HIP has this atomic\n",
                ),
                Edit::insert(end, "#endif\n"),
            ]))
            .hides(TextRange::new(start, end)),
        None => finding
            .severity(Severity::Error)
            .help("hide the definition from AMD by #ifndef __HIP_PLATFORM_AMD__, or rename it and its calls"),
    })
}

fn is_atomic(name: &[u8]) -> bool {
    matches!(
        name,
        b"atomicAdd"
            | b"atomicSub"
            | b"atomicMin"
            | b"atomicMax"
            | b"atomicExch"
            | b"atomicCAS"
            | b"atomicAnd"
            | b"atomicOr"
            | b"atomicXor"
    )
}

/// Whether HIP 6.4 has the overload.
fn has(name: &str, ty: &str) -> bool {
    match ty {
        "int" | "unsigned" | "unsigned long" | "unsigned long long" => true,
        "float" | "double" => !matches!(name, "atomicAnd" | "atomicOr" | "atomicXor"),
        "long long" => matches!(name, "atomicMin" | "atomicMax"),
        _ => false,
    }
}

/// The type that a pointer parameter points to, in one spelling.
fn parameter_type(doc: &Document<'_>, tokens: std::ops::Range<TokenIndex>) -> Option<&'static str> {
    let stars = tokens.clone().filter(|&at| doc.is(at, "*")).count();
    let star = tokens.clone().find(|&at| doc.is(at, "*"))?;
    let words = (tokens.start..star).map(|at| doc.bytes(at));
    let words: Vec<&[u8]> = words.filter(|it| !matches!(*it, b"std" | b"::")).collect();
    let count = |word: &[u8]| words.iter().filter(|other| **other == word).count();
    let is_unsigned = count(b"unsigned") > 0;
    let known = ["unsigned", "int", "long", "float", "double"];
    let plain = words
        .iter()
        .all(|word| known.iter().any(|known| known.as_bytes() == *word));
    if stars != 1 {
        return None;
    }
    match words[..] {
        [b"uint" | b"uint32_t"] => return Some("unsigned"),
        [b"uint64_t" | b"size_t"] => return Some("unsigned long"),
        [b"int32_t"] => return Some("int"),
        _ if !plain => return None,
        _ => {}
    }
    Some(match (count(b"long"), is_unsigned) {
        (2, true) => "unsigned long long",
        (2, false) => "long long",
        (1, true) => "unsigned long",
        (1, false) => return None,
        _ if count(b"float") == 1 => "float",
        _ if count(b"double") == 1 => "double",
        (_, true) => "unsigned",
        _ => "int",
    })
}

/// Whether a parameter is a number of two bytes by its type.
fn takes_half(doc: &Document<'_>, mut parameter: std::ops::Range<TokenIndex>) -> bool {
    const HALVES: &[&[u8]] = &[
        b"Half",
        b"BFloat16",
        b"half",
        b"__half",
        b"__nv_bfloat16",
        b"nv_bfloat16",
    ];
    parameter.any(|at| HALVES.contains(&doc.bytes(at)))
}

/// Whether the function stands in a namespace or class, where it hides nothing of HIP.
fn is_scoped(doc: &Document<'_>, name: TokenIndex) -> bool {
    let is_string = |at: TokenIndex| doc.tokens[at].kind == TokenKind::Str;
    doc.braces_around(name)
        .any(|open| !doc.prev(open).is_some_and(is_string))
}

/// Where the lines of the function start and end, if it has them for itself.
fn whole_lines(cx: &Context<'_, '_>, function: &FunctionScope) -> Option<(u32, u32)> {
    let bytes = &cx.doc.source.bytes;
    let first = cx.range(function.head.start).start as usize;
    let last = cx.range(function.body.end - 1).end as usize;
    let start = line_start(bytes, first as u32) as usize;
    let end = next_line(bytes, last as u32)? as usize;
    let alone = bytes[start..first].iter().all(u8::is_ascii_whitespace)
        && !holds_comment(cx.doc, start as u32, first as u32);
    let next = cx.doc.token_at(last as u32);
    let follows = cx
        .doc
        .tokens
        .get(next)
        .is_some_and(|token| (token.start as usize) < end);
    // Behind an include in its line it goes with that.
    let is_code = !cx.doc.tokens[function.head.start].has(flags::DIRECTIVE);
    (alone && is_code && !follows).then_some((start as u32, end as u32))
}
