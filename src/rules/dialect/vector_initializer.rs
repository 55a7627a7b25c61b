//! A vector value written in a way that HIP's vector types do not take, or take differently.
//!
//! ## Why on AMD
//! CUDA's `float4` is a plain structure: `{1.0f}` sets the first element and clears the rest, `{.x = 1.0f}` names one. HIP's is a class
//! with constructors: the first form is an error, or with `float4 v{1.0f}` silently sets all elements to 1, and the second is an error.
//! So are an array of vectors, or a structure with one, whose numbers stand without inner braces, and `float1 v = {1.0f}`, whose constructor is explicit. The
//! same holds for lists that are returned, assigned, passed to a function of the file, elements of an array, or the values of members. Its elements are members of a
//! union without a name, which no structured binding takes.
//!
//! ## Example
//! ```cuda
//! float4 v = {1.0f};
//! float2 w = {.x = a, .y = b};
//! float2 pair[2] = {1, 2, 3, 4};
//! v = {1.0f};
//! auto [a, b] = w;
//! ```
//! becomes
//! ```hip
//! float4 v = {1.0f, 0, 0, 0};
//! float2 w = {a, b};
//! float2 pair[2] = {{1, 2}, {3, 4}};
//! v = {1.0f, 0, 0, 0};
//! auto a = w.x, b = w.y;
//! ```
//!
//! ## When to ignore
//! Never.
//!
//! ## Source
//! `hip/amd_detail/amd_hip_vector_types.h` of ROCm 6.4, compiled with clang 19.

use crate::analysis::vector_binding::vector_bindings;
use crate::analysis::vectors::complete::{
    completed, designated, explicit, ordered, partial, width,
};
use crate::analysis::vectors::{VectorValue, list_values, vectors_in_lists};
use crate::cpp::declarations::initializer_list;
use crate::cpp::functions::uses_cuda;
use crate::mapping::name_lists;
use crate::rules::prelude::*;

/// Completes and orders the elements.
pub static RULE: Rule = Rule {
    code: "CASS109",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    facts: &[Fact::NvccReadsResult],
    checks: &[
        Check::Source(lists),
        Check::Listed(|| &name_lists().vectors, check),
    ],
};

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    if let Some(edits) = explicit(cx, index) {
        let message = format!(
            "`{}` of HIP takes its element without `=`, or behind its name",
            cx.text(index)
        );
        let finding = RULE.finding(cx.range(index), message);
        return cx.report(finding.fix(Fix::safe(edits)));
    }
    if let Some(list) = list_of_macro(cx, index) {
        return in_order(cx, index, list, Vec::new());
    }
    let Some(list) = initializer_list(cx.doc, index).or_else(|| behind_cast(cx.doc, index)) else {
        return;
    };
    let width = width(cx.doc, index);
    let Some(close) = cx.doc.matching_bracket(list) else {
        return;
    };
    // With statements inside it is a body: `[] -> float4 { … }`.
    if (list..close).any(|at| cx.doc.is(at, ";")) {
        return;
    }
    let elements = list_values(cx.doc, list + 1..close);
    if elements
        .iter()
        .any(|element| element.is_empty() || cx.doc.is(element.start, "{"))
    {
        return;
    }
    let edits = if elements.iter().any(|element| cx.doc.is(element.start, ".")) {
        designated(cx, &elements, width)
    } else {
        partial(cx, &elements, width)
    };
    let Some(edits) = edits else { return };
    in_order(cx, index, cx.doc.range(list, close), edits);
}

/// A list that lacks elements or names them, with the edits that complete it, if they can be made.
fn in_order(cx: &mut Context<'_, '_>, ty: TokenIndex, list: TextRange, edits: Vec<Edit>) {
    let message = format!(
        "`{}` of HIP takes all elements in order, without designators",
        cx.text(ty)
    );
    let finding = RULE.finding(list, message);
    cx.report(if edits.is_empty() {
        finding
            .severity(Severity::Error)
            .help("write the elements in order, without designators; store the results of calls in variables first")
    } else {
        finding.fix(Fix::safe(edits))
    });
}

/// `float4 v = ONE;`, where a macro is a list that lacks elements or names them: it may serve other types as well.
fn list_of_macro(cx: &Context<'_, '_>, ty: TokenIndex) -> Option<TextRange> {
    let doc = cx.doc;
    let name = doc.next(ty).filter(|&at| doc.is_ident(at))?;
    let equals = doc.next(name).filter(|&at| doc.is(at, "="))?;
    let list = doc.next(equals).filter(|&at| doc.is_ident(at))?;
    let is_whole = doc.next_is(list, ";") || doc.next_is(list, ",");
    let width = width(doc, ty);
    let lacks = |directive: &Directive| {
        let open = directive.operands().start + 1;
        let close = doc.matching_bracket(open).filter(|_| doc.is(open, "{"));
        close.is_some_and(|close| {
            let values = list_values(doc, open + 1..close);
            let is_full = width > 1 && values.len() == width && !doc.is(open + 1, ".");
            !values.is_empty() && !is_full
        })
    };
    let is_list = is_whole && doc.macros_called(doc.bytes(list)).any(lacks);
    is_list.then(|| cx.range(list))
}

/// The `{` of `(float4){…}`.
fn behind_cast(doc: &Document<'_>, ty: TokenIndex) -> Option<TokenIndex> {
    let close = doc.next(ty).filter(|&at| doc.is(at, ")"))?;
    let list = doc.next(close).filter(|&at| doc.is(at, "{"))?;
    let is_cast = doc.prev(ty).is_some_and(|at| doc.is(at, "("))
        && doc
            .scopes()
            .enclosing(ty)
            .is_some_and(|it| it.body.contains(&ty));
    is_cast.then_some(list)
}

/// Lists for vectors that do not stand behind the name of their type.
fn lists(cx: &mut Context<'_, '_>) {
    let doc = cx.doc;
    if !uses_cuda(doc, cx.table()) {
        return;
    }
    for binding in vector_bindings(doc) {
        let message = "HIP's vectors have no members that a structured binding could name";
        let finding = RULE.finding(binding.range, message);
        cx.report(match binding.edit {
            Some(edit) => finding.fix(Fix::safe(vec![edit])),
            None => finding
                .severity(Severity::Error)
                .help("store the vector in a variable and use its `.x`, `.y`, `.z`, `.w`"),
        });
    }
    for mut values in vectors_in_lists(doc) {
        values.retain(|value| !cx.is_own(doc.bytes(value.ty)));
        let is_named = |value: &mut VectorValue| doc.is(value.elements[0].start, ".");
        for value in values.extract_if(.., is_named) {
            in_order_elsewhere(cx, &value);
        }
        let (bare, braced): (Vec<_>, Vec<_>) = values.iter().partition(|it| it.open.is_none());
        in_one_list(cx, &bare, "its elements in braces of their own");
        in_one_list(cx, &braced, "all elements");
    }
}

/// `{.x = a}` that does not stand behind the name of its type.
fn in_order_elsewhere(cx: &mut Context<'_, '_>, value: &VectorValue) {
    let Some(open) = value.open else { return };
    let last = value.elements[value.elements.len() - 1].end - 1;
    in_order(
        cx,
        value.ty,
        cx.doc.range(open, last),
        ordered(cx, value, open),
    );
}

/// One finding for the vectors of one list.
fn in_one_list(cx: &mut Context<'_, '_>, values: &[&VectorValue], takes: &str) {
    let (Some(first), Some(last)) = (values.first(), values.last()) else {
        return;
    };
    let edits = values.iter().flat_map(|value| completed(cx, value));
    let edits: Vec<Edit> = edits.collect();
    let start = first.open.unwrap_or(first.elements[0].start);
    let end = last.elements[last.elements.len() - 1].end - 1;
    let message = format!("`{}` of HIP takes {takes}", cx.text(first.ty));
    let finding = RULE.finding(cx.doc.range(start, end), message);
    cx.report(finding.fix(Fix::safe(edits)));
}
