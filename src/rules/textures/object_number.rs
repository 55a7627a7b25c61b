//! Integer arithmetic on a texture or surface object.
//!
//! ## Why on AMD
//! `cudaTextureObject_t` is a number of 64 bits, `hipTextureObject_t` a pointer: its bits cannot be shifted, masked or put together.
//!
//! ## Example
//! ```cuda
//! unsigned low(cudaTextureObject_t texture) { return texture & 0xffffffff; }
//! ```
//! becomes
//! ```hip
//! unsigned low(hipTextureObject_t texture) { return reinterpret_cast<unsigned long long>(texture) & 0xffffffff; }
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! `texture_types.h` of CUDA 13.0; `hip/texture_types.h` and `hip/surface_types.h` of ROCm 6.4.

use crate::cpp::declarations::declared;
use crate::cpp::windows::DECLARATION;
use crate::rules::prelude::*;

/// Reads the bits as a number; reports where an object is made of bits.
pub static RULE: Rule = Rule {
    code: "CASS409",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 45,
    facts: &[],
    checks: &[Check::Source(check)],
};

const TYPES: &[&str] = &[
    "cudaTextureObject_t",
    "cudaSurfaceObject_t",
    "CUtexObject",
    "CUsurfObject",
];
const OPERATORS: &[&str] = &["&", "|", "^", "%"];

fn check(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    let types = doc.all_of(TYPES);
    let mut names: Vec<&[u8]> = Vec::new();
    for at in types {
        if is_cast(doc, at) {
            check_cast(cx, at);
        }
        let name = doc.next(at).filter(|&name| doc.is_ident(name));
        names.extend(name.map(|name| doc.bytes(name)));
    }
    for at in doc.all_called(names) {
        check_operand(cx, at);
    }
}

/// `object & 1`, `object >> 32`.
fn check_operand(cx: &mut Context<'_, '_>, at: TokenIndex) {
    let doc = cx.doc;
    let is_object =
        || declared(doc, at).is_some_and(|found| found.pointers == 0 && found.is_any(TYPES));
    if !is_computed_with(doc, at + 1) || doc.is_before(at, ".") || !is_object() {
        return;
    }
    let range = cx.range(at);
    let finding = RULE
        .finding(
            range,
            "the object is a pointer in HIP: integer arithmetic on it does not compile",
        )
        .fix(Fix::safe(vec![
            Edit::insert(range.start, "reinterpret_cast<unsigned long long>("),
            Edit::insert(range.end, ")"),
        ]));
    cx.report(finding);
}

/// `(cudaTextureObject_t)low | …`: what is put together has to be a number until it is whole.
fn check_cast(cx: &mut Context<'_, '_>, at: TokenIndex) {
    let doc = cx.doc;
    let ends = |at: TokenIndex| matches!(doc.bytes(at), b";" | b"," | b"}" | b"{");
    let behind = (at + 2..doc.tokens.len())
        .take(DECLARATION)
        .take_while(|&at| !ends(at));
    let is_put_together = behind
        .filter(|&at| !doc.is(at, "&"))
        .any(|at| is_computed_with(doc, at));
    if is_put_together {
        let finding = RULE
            .finding(
                cx.range(at),
                "the object is a pointer in HIP and cannot be constructed from an integer",
            )
            .severity(Severity::Error)
            .help("compute with `unsigned long long` and `reinterpret_cast` the result");
        cx.report(finding);
    }
}

fn is_cast(doc: &Document<'_>, at: TokenIndex) -> bool {
    doc.is_before(at, "(") && doc.is(at + 1, ")")
}

/// Whether an operator on bits stands at `at`; `<<` and `>>` are two tokens.
fn is_computed_with(doc: &Document<'_>, at: TokenIndex) -> bool {
    let is_shift = |sign: &str| doc.is(at, sign) && doc.is(at + 1, sign) && !doc.is(at + 2, sign);
    OPERATORS.iter().any(|sign| doc.is(at, sign)) || is_shift("<") || is_shift(">")
}
