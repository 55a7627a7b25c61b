//! A narrowing conversion in a braced initializer.
//!
//! ## Why on AMD
//! C++ does not allow `{…}` to lose a value: an `int` for an `unsigned`, a `size_t` for an `int`, a `double` for a `float`, an integer for
//! a `float`. For variables nvcc and g++ warn and go on; clang, which HIP is built on, makes it an error.
//!
//! ## Example
//! ```cuda
//! dim3 grid = {(n + 255) / 256, 1, 1};
//! float point[] = {width, 0.5f};
//! ```
//! becomes
//! ```hip
//! dim3 grid = {static_cast<unsigned>((n + 255) / 256), 1, 1};
//! float point[] = {static_cast<float>(width), 0.5f};
//! ```
//!
//! ## When to ignore
//! Never: the cast says what happened all along.
//!
//! ## Source
//! C++17, `[dcl.init.list]`; compiled with g++ 12 and clang 19: "non-constant-expression cannot be narrowed".

use std::ops::Range;

use crate::cpp::arithmetic::{Number, element, value};
use crate::cpp::declarations::declared;
use crate::cpp::functions::uses_cuda;
use crate::rules::prelude::*;
use crate::syntax::split_arguments;

/// Casts what is narrowed to the type that it becomes.
pub static RULE: Rule = Rule {
    code: "CASS124",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 45,
    facts: &[Fact::NvccReadsResult],
    checks: &[Check::Source(check)],
};

/// What a list in braces is for.
struct List {
    /// Type of a number in it.
    ty: Number,
    /// The same as text.
    name: String,
}

fn check(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    if doc.source.path.ends_with(".c") || !uses_cuda(cx.doc, cx.table()) {
        return;
    }
    for brace in doc.open_braces() {
        if doc.tokens[brace].has(flags::DIRECTIVE) {
            continue;
        }
        let Some((list, close)) = list(cx, brace).zip(doc.matching_bracket(brace)) else {
            continue;
        };
        // A list that a directive parts is several, as builds go.
        if (brace..close).any(|at| doc.tokens[at].has(flags::DIRECTIVE)) {
            continue;
        }
        let mut edits = Vec::new();
        narrowed(cx, &list, brace + 1..close, &mut edits);
        if !edits.is_empty() {
            let message = format!(
                "narrowing conversion to `{}` in a braced initializer is an error in clang",
                list.name
            );
            let finding = RULE.finding(doc.range(brace, close), message);
            cx.report(finding.fix(Fix::safe(edits)));
        }
    }
}

/// What the list that opens at a brace is for: `int a[2] = {`, `dim3 grid{`, `float4{`.
fn list(cx: &Context<'_, '_>, brace: TokenIndex) -> Option<List> {
    let doc = cx.doc;
    let mut at = doc.prev(brace)?;
    let is_assigned = doc.is(at, "=");
    if is_assigned {
        at = doc.prev(at)?;
    }
    let is_array = doc.is(at, "]");
    while doc.is(at, "]") {
        at = doc.prev(doc.matching_bracket(at)?)?;
    }
    if !doc.is_ident(at) {
        return None;
    }
    let before = doc.prev(at)?;
    if !is_assigned && !is_array && !doc.is_ident(before) {
        // Behind `->` stands the result of a lambda, and then its body.
        return of_vector(cx, doc.bytes(at)).filter(|_| !doc.is(before, "->"));
    }
    let mut words = Vec::new();
    let mut start = before;
    while doc.is_ident(start) || doc.is(start, "::") {
        if doc.is_ident(start) {
            words.push(doc.bytes(start));
        }
        start = doc.prev(start)?;
    }
    if !matches!(doc.bytes(start), b";" | b"{" | b"}" | b"(" | b")" | b":") {
        return None;
    }
    words.reverse();
    if words.is_empty() && !is_array {
        // `grid = {…}`, of something that was declared before.
        words = declared(doc, at).filter(|found| found.pointers == 0)?.words;
    }
    let vector = words.last().and_then(|word| of_vector(cx, word));
    vector.or_else(|| {
        let ty = Number::of_words(&words)?;
        let is_type = |word: &&&[u8]| Number::of_words(&[**word]).is_some() || **word == b"std";
        let names: Vec<_> = words.iter().filter(is_type).collect();
        let names = names.iter().map(|word| String::from_utf8_lossy(word));
        let name = names.collect::<Vec<_>>().join(" ").replace("std ", "std::");
        Some(List { ty, name })
    })
}

fn of_vector(cx: &Context<'_, '_>, word: &[u8]) -> Option<List> {
    let of_sizes = matches!(word, b"cudaExtent" | b"cudaPos");
    let sizes = || Number::of_words(&[b"size_t"]).map(|ty| (ty, "size_t"));
    let (ty, name) = element(word).or_else(|| of_sizes.then(sizes).flatten())?;
    (!cx.is_own(word)).then(|| List {
        ty,
        name: name.to_owned(),
    })
}

/// Casts of the elements that are narrowed, those of inner lists included.
fn narrowed(cx: &Context<'_, '_>, list: &List, inside: Range<TokenIndex>, edits: &mut Vec<Edit>) {
    let doc = cx.doc;
    for element in split_arguments(doc, inside) {
        if element.is_empty() {
            continue;
        }
        let last = element.end - 1;
        if doc.is(element.start, "{") && doc.matching_bracket(element.start) == Some(last) {
            narrowed(cx, list, element.start + 1..last, edits);
            continue;
        }
        let is_narrowed = value(doc, element.clone())
            .is_some_and(|value| value.varies && list.ty.is_narrower_than(value.ty));
        if is_narrowed {
            edits.extend(cast(cx, list, &element));
        }
    }
}

/// `static_cast<T>(element)`; headers may be read by C as well.
fn cast(cx: &Context<'_, '_>, list: &List, element: &Range<TokenIndex>) -> [Edit; 2] {
    let range = cx.doc.range(element.start, element.end - 1);
    let open = match cx.doc.source.path.ends_with(".h") {
        true => format!("({})(", list.name),
        false => format!("static_cast<{}>(", list.name),
    };
    [
        Edit::insert(range.start, open),
        Edit::insert(range.end, ")"),
    ]
}
