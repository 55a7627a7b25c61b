//! PyTorch's bfloat16 where CUDA's is assigned, or the reverse.
//!
//! ## Why on AMD
//! `c10::BFloat16` converts from `__nv_bfloat16` and to it in PyTorch for CUDA alone: on AMD no assignment between the two compiles.
//! By way of float it does on both, and the number is the same.
//!
//! ## Example
//! ```cuda
//! #include <ATen/ATen.h>
//! #include <cuda_bf16.h>
//! __global__ void first(at::BFloat16 *out, const __nv_bfloat162 *in) { out[0] = in[0].x; }
//! ```
//! becomes
//! ```hip
//! #include <ATen/ATen.h>
//! #include <cuda_bf16.h>
//! __global__ void first(at::BFloat16 *out, const __nv_bfloat162 *in) { out[0] = __bfloat162float(in[0].x); }
//! ```
//!
//! ## When to ignore
//! When the name means another type.
//!
//! ## Source
//! `torch/headeronly/util/BFloat16.h` of PyTorch 2.11: `#if defined(__CUDACC__) && !defined(USE_ROCM)`.

use std::ops::Range;

use crate::cpp::declarations::{Declared, declaration, of_value};
use crate::cpp::short_floats::{Format, short_float};
use crate::rules::prelude::*;

/// Converts by way of float.
pub static RULE: Rule = Rule {
    code: "CASS656",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 45,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Source(check)],
};

/// Whose bfloat16 a value is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Torch,
    Cuda,
}

fn check(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let has_torchs = doc.has_word(|word| word == b"BFloat16");
    if !has_torchs || !doc.has_word(|word| is_cudas(word, 1) || is_cudas(word, 2)) {
        return;
    }
    let equals = (1..doc.tokens.len()).filter(|&at| doc.is(at, "="));
    let findings: Vec<Finding> = equals.filter_map(|at| assigned(doc, at)).collect();
    findings.into_iter().for_each(|finding| cx.report(finding));
}

/// `out[i] = value;` where one is PyTorch's and the other is CUDA's.
fn assigned(doc: &Document<'_>, equals: TokenIndex) -> Option<Finding> {
    let ends = |at: &TokenIndex| matches!(doc.bytes(*at), b";" | b"{" | b"}" | b")" | b",");
    let first = (0..equals).rev().take(24).find(ends)? + 1;
    let end = (equals + 1..doc.tokens.len())
        .take(24)
        .find(|&at| doc.is(at, ";"))?;
    let value = equals + 1..end;
    let from = whose(doc, value.clone())?;
    let to = whose(doc, first..equals)?;
    if from == to || value.is_empty() {
        return None;
    }
    let range = doc.range(value.start, value.end - 1);
    let (message, convert) = match from {
        Whose::Cuda => (
            "`c10::BFloat16` converts from CUDA's bfloat16 on NVIDIA alone",
            "__bfloat162float(",
        ),
        Whose::Torch => (
            "`c10::BFloat16` converts to CUDA's bfloat16 on NVIDIA alone",
            "__float2bfloat16(",
        ),
    };
    let edits = vec![
        Edit::insert(range.start, convert),
        Edit::insert(range.end, ")"),
    ];
    Some(RULE.finding(range, message).fix(Fix::safe(edits)))
}

/// Whose a variable, an element or a half of a pair is.
fn whose(doc: &Document<'_>, value: Range<TokenIndex>) -> Option<Whose> {
    let is_half = value.len() > 2
        && doc.is(value.end - 2, ".")
        && matches!(doc.bytes(value.end - 1), b"x" | b"y");
    let lanes = if is_half { 2 } else { 1 };
    let value = value.start..value.end - if is_half { 2 } else { 0 };
    let declared = declared_as(doc, value)?;
    let has = |is: &dyn Fn(&[u8]) -> bool| declared.words.iter().any(|word| is(word));
    if has(&|word| is_cudas(word, lanes)) {
        return Some(Whose::Cuda);
    }
    (!is_half && has(&|word| word == b"BFloat16")).then_some(Whose::Torch)
}

/// What declares a value, `x` also in its own declaration `at::BFloat16 x`.
fn declared_as<'s>(doc: &Document<'s>, value: Range<TokenIndex>) -> Option<Declared<'s>> {
    let last = value.end.checked_sub(1)?;
    let is_declaration = value.len() > 1 && doc.is_ident(last) && doc.is_ident(last - 1);
    match is_declaration {
        true => declaration(doc, last).filter(|found| found.pointers == 0),
        false => of_value(doc, value),
    }
}

fn is_cudas(word: &[u8], lanes: u8) -> bool {
    short_float(word)
        .is_some_and(|ty| ty.format == Format::Bfloat16 && ty.lanes == lanes && !ty.is_hips)
}
