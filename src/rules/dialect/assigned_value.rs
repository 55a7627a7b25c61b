//! A value assigned in a form that HIP's types do not take: a list for a half, coordinates for a `dim3`.
//!
//! ## Why on AMD
//! HIP's `__half`, `__half2` and bfloat16 types have several assignment operators, of which a list in braces fits more than one: `r = {}`
//! is ambiguous. Its `dim3` does not convert from `uint3` or to it, as that of CUDA does.
//!
//! ## Example
//! ```cuda
//! half2 r;
//! r = {};
//! dim3 grid(1);
//! grid = make_uint3(4, 1, 1);
//! ```
//! becomes
//! ```hip
//! half2 r;
//! r = half2{};
//! dim3 grid(1);
//! grid = dim3(4, 1, 1);
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! `amd_hip_fp16.h`, `amd_hip_bf16.h` and `hip_runtime_api.h` (`dim3`) of ROCm 6.4, compiled with clang 19.

use crate::cpp::declarations::declared;
use crate::cpp::short_floats::{Format, short_float};
use crate::rules::prelude::*;

/// Says which type the value has.
pub static RULE: Rule = Rule {
    code: "CASS131",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Source(check)],
};

/// A half, a bfloat16 or two of them, by a name of CUDA's: what has HIP's name was written for AMD.
fn is_half(word: &[u8]) -> bool {
    short_float(word).is_some_and(|ty| !ty.is_hips)
}

fn check(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let of_grid = doc.all("make_uint3").filter_map(|at| coordinates(cx, at));
    let uses_halves = doc.has_word(is_half);
    let all = 1..if uses_halves { doc.tokens.len() } else { 1 };
    let of_halves = all
        .filter(|&at| doc.is(at, "{"))
        .filter_map(|at| list(cx, at));
    let of_vectors = ["dim3", "uint3"].into_iter().flat_map(|ty| doc.all(ty));
    let of_vectors = of_vectors.filter_map(|at| converted(cx, at));
    let both = ["dim3", "uint3"]
        .iter()
        .all(|ty| doc.all(ty).next().is_some());
    let signs = 1..if both { doc.tokens.len() } else { 1 };
    let of_vectors = of_vectors.chain(signs.filter_map(|at| assigned(cx, at)));
    let found: Vec<Finding> = of_grid.chain(of_vectors).chain(of_halves).collect();
    found.into_iter().for_each(|finding| cx.report(finding));
}

/// `grid = make_uint3(…)`, `dim3 grid = make_uint3(…)`
fn coordinates(cx: &Context<'_, '_>, at: TokenIndex) -> Option<Finding> {
    let doc = cx.doc;
    let name = doc.prev(at).filter(|&equals| doc.is(equals, "="));
    let name = name
        .and_then(|equals| doc.prev(equals))
        .filter(|&name| doc.is_ident(name))?;
    let is_dim3 = doc.is_before(name, "dim3")
        || declared(doc, name).is_some_and(|found| found.pointers == 0 && found.is_any(&["dim3"]));
    is_dim3.then(|| {
        RULE.finding(
            cx.range(at),
            "`dim3` of HIP cannot be constructed from a `uint3`",
        )
        .fix(Fix::safe(vec![Edit::replace(cx.range(at), "dim3")]))
    })
}

/// `dim3 grid = u`, `dim3 grid(u)` and `uint3 u = grid`, where one is a `dim3` and the other a `uint3`.
fn converted(cx: &Context<'_, '_>, ty: TokenIndex) -> Option<Finding> {
    let doc = cx.doc;
    let name = doc.next(ty).filter(|&at| doc.is_ident(at))?;
    let open = doc.next(name)?;
    let value = doc.next(open).filter(|&at| doc.is_ident(at))?;
    let ends = doc.next(value).map(|at| doc.bytes(at));
    let (other, call) = match doc.bytes(ty) {
        b"dim3" => ("uint3", "dim3"),
        _ => ("dim3", "make_uint3"),
    };
    let is_assigned = doc.is(open, "=") && matches!(ends, Some(b";" | b","));
    let is_given = doc.is(open, "(") && ends == Some(b")") && other == "uint3";
    if !(is_assigned || is_given) || !is_a(doc, value, other) {
        return None;
    }
    Some(by_parts(cx, value, call, is_given))
}

/// `grid = u;` where one is a `dim3` and the other a `uint3`, both declared before.
fn assigned(cx: &Context<'_, '_>, equals: TokenIndex) -> Option<Finding> {
    let doc = cx.doc;
    let is_statement = |name: TokenIndex| {
        let before = doc.prev(name).map(|at| doc.bytes(at));
        doc.is_ident(name) && matches!(before, Some(b";" | b"{" | b"}" | b")"))
    };
    let name = doc
        .prev(equals)
        .filter(|&name| doc.is(equals, "=") && is_statement(name))?;
    let value = doc
        .next(equals)
        .filter(|&at| doc.is_ident(at) && doc.next_is(at, ";"))?;
    let pairs = [("dim3", "uint3", "dim3"), ("uint3", "dim3", "make_uint3")];
    let mut fitting = pairs
        .iter()
        .filter(|(of, from, _)| is_a(doc, name, of) && is_a(doc, value, from));
    let (.., call) = fitting.next()?;
    Some(by_parts(cx, value, call, false))
}

fn is_a(doc: &Document<'_>, name: TokenIndex, ty: &str) -> bool {
    declared(doc, name).is_some_and(|found| found.pointers == 0 && found.is_any(&[ty]))
}

/// The value as a call with its three parts, or as the parts alone where they stand in one already.
fn by_parts(cx: &Context<'_, '_>, value: TokenIndex, call: &str, is_given: bool) -> Finding {
    let text = cx.text(value);
    let parts = format!("{text}.x, {text}.y, {text}.z");
    let becomes = match is_given {
        true => parts,
        false => format!("{call}({parts})"),
    };
    let message = "`dim3` of HIP does not convert from `uint3` or to it";
    let fix = Fix::safe(vec![Edit::replace(cx.range(value), becomes)]);
    RULE.finding(cx.range(value), message).fix(fix)
}

/// `r = {…};` of a half or a pair of them.
fn list(cx: &Context<'_, '_>, open: TokenIndex) -> Option<Finding> {
    let doc = cx.doc;
    let equals = doc.prev(open).filter(|&equals| doc.is(equals, "="))?;
    let name = doc.prev(equals).filter(|&name| doc.is_ident(name))?;
    let starts = doc
        .prev(name)
        .is_none_or(|before| matches!(doc.bytes(before), b";" | b"{" | b"}" | b")"));
    let found = declared(doc, name).filter(|found| starts && found.pointers == 0)?;
    let ty = found.words.iter().find(|word| is_half(word))?;
    let name = cx.text(name);
    Some(
        RULE.finding(
            cx.range(open),
            format!("a list for `{name}` is ambiguous in HIP"),
        )
        .fix(Fix::safe(vec![Edit::insert(
            cx.range(open).start,
            renamed(ty),
        )])),
    )
}

/// The type by its name in HIP.
fn renamed(ty: &[u8]) -> String {
    match short_float(ty) {
        Some(known) if known.format == Format::Bfloat16 && known.lanes == 2 => {
            "__hip_bfloat162".to_owned()
        }
        Some(known) if known.format == Format::Bfloat16 => "__hip_bfloat16".to_owned(),
        _ => String::from_utf8_lossy(ty).into_owned(),
    }
}
