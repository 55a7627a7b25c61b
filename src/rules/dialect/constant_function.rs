//! A `constexpr` function that no constant can come of.
//!
//! ## Why on AMD
//! nvcc takes any body of a function without parameters for types, and only fails where a constant is asked for. clang, which HIP is built
//! on, looks at the body: "constexpr function never produces a constant expression", where it must cast one pointer to another, or reads
//! which thread it is.
//!
//! ## Example
//! ```cuda
//! __device__ inline constexpr half infinity() { const short v = 0x7c00; return *reinterpret_cast<const half *>(&v); }
//! ```
//! becomes
//! ```hip
//! __device__ inline half infinity() { const short v = 0x7c00; return *reinterpret_cast<const half *>(&v); }
//! ```
//!
//! ## When to ignore
//! When the build passes `-Wno-invalid-constexpr`.
//!
//! ## Source
//! clang 19, `-Winvalid-constexpr`; compiled with clang 19 and nvcc 13: functions of templates, members, and casts in a branch are taken.

use crate::cpp::signature::Signature;
use crate::rules::prelude::*;
use crate::syntax::FunctionScope;
use crate::text::keywords::{is_class_key, takes_condition};

/// Takes `constexpr` away, from which nothing came.
pub static RULE: Rule = Rule {
    code: "CASS699",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Idents(&["constexpr"], check)],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let start = cx.range(index).start;
    let mut functions = doc.scopes().around(index);
    let function = functions.find(|it| it.head.contains(&index));
    let is_read = !doc.tokens[index].has(flags::DIRECTIVE)
        && doc.vendor_at(start) == Vendor::Any
        && !cx.is_inactive(start);
    let Some(function) = function.filter(|it| is_read && !depends(doc, it)) else {
        return;
    };
    let Some(definition) = Signature::of_function(doc, function) else {
        return;
    };
    let is_member = definition
        .scope
        .split_whitespace()
        .any(|word| is_class_key(word.as_bytes()));
    if is_member || never_constant(doc, function).is_none() {
        return;
    }
    let name = cx.text(definition.name);
    let message = format!("clang refuses `{name}`, which is constexpr and never gives a constant");
    let finding = RULE.finding(cx.range(index), message);
    cx.report(match written_without(doc, function, index) {
        Some(edit) => finding.fix(Fix::safe(vec![edit])),
        None => finding
            .severity(Severity::Error)
            .help("write `__host__ __device__ inline` in its place, or make the value without a cast of pointers, by __builtin_bit_cast"),
    });
}

/// Whether a function is a template, which clang looks at where it is used: `template <>` makes none.
fn depends(doc: &Document<'_>, function: &FunctionScope) -> bool {
    let mut head = function.head.clone();
    head.any(|at| doc.is(at, "template") && doc.is(at + 1, "<") && !doc.is(at + 2, ">"))
}

/// The place in a body by which no call gives a constant: it stands on every way through the function.
fn never_constant(doc: &Document<'_>, function: &FunctionScope) -> Option<TokenIndex> {
    let chooses = |at: TokenIndex| {
        let word = doc.bytes(at);
        takes_condition(word) || matches!(word, b"?" | b"&&" | b"||")
    };
    let straight = function
        .body
        .clone()
        .take_while(|&at| !chooses(at) && !doc.tokens[at].has(flags::DIRECTIVE));
    let mut straight = straight.filter(|&at| is_cast(doc, at) || is_of_thread(doc, at));
    let found = straight.next()?;
    // A lambda is another function.
    let is_within = doc
        .scopes()
        .iter()
        .any(|it| it.body.contains(&found) && it.body.start > function.body.start);
    (!is_within).then_some(found)
}

/// Whether a pointer or reference is cast to that of another type: `reinterpret_cast<half *>(…)`, `*(half *)&bits`.
fn is_cast(doc: &Document<'_>, at: TokenIndex) -> bool {
    if doc.is(at, "reinterpret_cast") {
        return true;
    }
    // `*(const float *)&x`, `*(float *)(&x)`
    let close = doc.matching_bracket(at).filter(|_| doc.is(at, "("));
    close.is_some_and(|close| {
        let behind = close + 1 + usize::from(doc.is(close + 1, "("));
        doc.is_before(at, "*") && doc.is_before(close, "*") && doc.is(behind, "&")
    })
}

/// Whether a word is only known to a running thread.
fn is_of_thread(doc: &Document<'_>, at: TokenIndex) -> bool {
    const WORDS: &[&[u8]] = &[b"threadIdx", b"blockIdx", b"blockDim", b"gridDim"];
    WORDS.contains(&doc.bytes(at)) && doc.is(at + 1, ".")
}

/// The edit that leaves a function without `constexpr`, which had made it inline and, for clang, one of the host and the device.
fn written_without(
    doc: &Document<'_>,
    function: &FunctionScope,
    index: TokenIndex,
) -> Option<Edit> {
    let has = |words: &[&str]| {
        let mut head = function.head.clone();
        head.any(|at| words.iter().any(|word| doc.is(at, word)))
    };
    let is_inline = has(&["inline", "static", "__inline__", "__forceinline__"]);
    let start = doc.tokens[index].range().start;
    let next = doc.next(index).map(|next| doc.tokens[next].range().start)?;
    let between = doc
        .source
        .slice(TextRange::new(doc.tokens[index].range().end, next));
    let is_blank = between.iter().all(|byte| matches!(byte, b' ' | b'\t'));
    if !has(&["__device__"]) || !is_blank {
        return None;
    }
    Some(match is_inline {
        true => Edit::delete(TextRange::new(start, next)),
        false => Edit::replace(doc.tokens[index].range(), "inline"),
    })
}
