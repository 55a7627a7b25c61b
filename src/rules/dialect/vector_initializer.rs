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

use std::ops::Range;

use crate::analysis::rename::{Part, is_code_alone, written_anew};
use crate::analysis::vector_binding::vector_bindings;
use crate::analysis::vectors::{VectorValue, is_number, vectors_in_lists};
use crate::cpp::arithmetic::{element, value};
use crate::cpp::calls::is_in_parentheses;
use crate::cpp::declarations::initializer_list;
use crate::cpp::functions::uses_cuda;
use crate::rules::prelude::*;
use crate::syntax::split_arguments;

/// Completes and orders the elements.
pub static RULE: Rule = Rule {
    code: "CASS109",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 40,
    triggers: &[
        Trigger::File,
        Trigger::Idents(&[
            "char1",
            "uchar1",
            "short1",
            "ushort1",
            "int1",
            "uint1",
            "long1",
            "ulong1",
            "longlong1",
            "ulonglong1",
            "float1",
            "double1",
            "char2",
            "char3",
            "char4",
            "uchar2",
            "uchar3",
            "uchar4",
            "short2",
            "short3",
            "short4",
            "ushort2",
            "ushort3",
            "ushort4",
            "int2",
            "int3",
            "int4",
            "uint2",
            "uint3",
            "uint4",
            "long2",
            "long3",
            "long4",
            "ulong2",
            "ulong3",
            "ulong4",
            "longlong2",
            "longlong3",
            "longlong4",
            "ulonglong2",
            "ulonglong3",
            "ulonglong4",
            "float2",
            "float3",
            "float4",
            "double2",
            "double3",
            "double4",
        ]),
    ],
    check,
};

fn check(at: Site<'_>, cx: &mut Context<'_, '_>) {
    let Site::Ident(index) = at else {
        return lists(cx);
    };
    if let Some(edits) = explicit(cx, index) {
        let message = format!(
            "`{}` of HIP takes its element without `=`, or behind its name",
            cx.text(index)
        );
        let finding = RULE.finding(cx.range(index), message);
        return cx.report(finding.fix(Fix::safe(edits)));
    }
    let Some(list) = initializer_list(cx.doc, index) else {
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
    let elements = split_arguments(cx.doc, list + 1..close);
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
    let message = format!(
        "`{}` of HIP takes all elements in order, without designators",
        cx.text(index)
    );
    let finding = RULE.finding(cx.doc.range(list, close), message);
    cx.report(if edits.is_empty() {
        finding
            .severity(Severity::Error)
            .help("write the elements in order, without designators; store the results of calls in variables first")
    } else {
        finding.fix(Fix::safe(edits))
    });
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
        let (bare, braced): (Vec<_>, Vec<_>) = values.iter().partition(|it| it.open.is_none());
        in_one_list(cx, &bare, "its elements in braces of their own");
        in_one_list(cx, &braced, "all elements");
    }
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

/// The braces and zeros that a vector lacks, or the name of a type of one element, whose constructor may only be called.
fn completed(cx: &Context<'_, '_>, value: &VectorValue) -> Vec<Edit> {
    let (first, last) = (
        &value.elements[0],
        &value.elements[value.elements.len() - 1],
    );
    let (start, end) = (cx.range(first.start).start, cx.range(last.end - 1).end);
    let width = width(cx.doc, value.ty);
    let name = cx.text(value.ty);
    if width > 1 {
        let zeros = ", 0".repeat(width - value.elements.len());
        let brace = if value.needs_name {
            format!("{name}{{")
        } else {
            "{".to_owned()
        };
        return match value.open {
            Some(_) => vec![Edit::insert(end, zeros)],
            None => vec![Edit::insert(start, brace), Edit::insert(end, zeros + "}")],
        };
    }
    let cast = cast(cx, value.ty, first);
    let mut edits = match (value.open, &cast) {
        (Some(open), None) => vec![Edit::insert(cx.range(open).start, name.into_owned())],
        (Some(open), Some(cast)) => vec![
            Edit::insert(cx.range(open).start, name.into_owned()),
            Edit::insert(start, cast.clone()),
        ],
        (None, cast) => vec![Edit::insert(
            start,
            format!("{name}{{{}", cast.as_deref().unwrap_or_default()),
        )],
    };
    let closing = [
        cast.map_or("", |_| ")"),
        if value.open.is_none() { "}" } else { "" },
    ]
    .concat();
    if !closing.is_empty() {
        edits.push(Edit::insert(end, closing));
    }
    edits
}

/// The cast of an element of another type: outside functions clang 19 does not find the constructor that takes it (ROCm 6.4's headers,
/// libstdc++ 12).
fn cast(
    cx: &Context<'_, '_>,
    ty: TokenIndex,
    element_tokens: &Range<TokenIndex>,
) -> Option<String> {
    let (wanted, name) = element(cx.doc.bytes(ty))?;
    let given = value(cx.doc, element_tokens.clone()).map(|value| value.ty);
    let is_inside = cx.doc.scopes().enclosing(element_tokens.start).is_some();
    (!is_inside && given != Some(wanted)).then(|| format!("static_cast<{name}>("))
}

/// How many elements the type of a name has.
fn width(doc: &Document<'_>, index: TokenIndex) -> usize {
    let digit = doc.bytes(index).last();
    digit.map_or(0, |digit| usize::from(digit - b'0'))
}

/// `float1 v = {1}`, whose constructor may only be called.
fn explicit(cx: &Context<'_, '_>, index: TokenIndex) -> Option<Vec<Edit>> {
    let doc = cx.doc;
    let name = doc.next(index).filter(|&at| doc.is_ident(at))?;
    let equals = doc.next(name).filter(|&at| doc.is(at, "="))?;
    let list = doc.next(equals).filter(|&at| doc.is(at, "{"))?;
    let is_filled = doc.matching_bracket(list)? > list + 1;
    if width(doc, index) != 1 || !is_filled {
        return None;
    }
    // A default argument has no form without `=`.
    let is_parameter = is_in_parentheses(doc, index);
    let gone = TextRange::new(cx.range(name).end, cx.range(list).start);
    Some(vec![match is_parameter {
        true => Edit::insert(cx.range(list).start, cx.text(index).into_owned()),
        false => Edit::delete(gone),
    }])
}

/// `{a}` and `{a, b}` of a wider vector: the missing elements are 0 in CUDA. `{v}` of another vector is a copy.
fn partial(
    cx: &Context<'_, '_>,
    elements: &[Range<TokenIndex>],
    width: usize,
) -> Option<Vec<Edit>> {
    let last = elements.last()?;
    let scalar = elements.len() > 1 || is_number(cx.doc, &elements[0]);
    (scalar && elements.len() < width).then(|| {
        let zeros = ", 0".repeat(width - elements.len());
        vec![Edit::insert(cx.range(last.end - 1).end, zeros)]
    })
}

/// `{.x = a, .y = b}` in the order of the elements, those not named being 0. Calls that would change places, and so be made in
/// another order, yield no edits.
fn designated(
    cx: &Context<'_, '_>,
    elements: &[Range<TokenIndex>],
    width: usize,
) -> Option<Vec<Edit>> {
    let mut named = Vec::new();
    for element in elements {
        let is_named =
            element.len() > 3 && cx.doc.is(element.start, ".") && cx.doc.is(element.start + 2, "=");
        let name = cx.doc.bytes(element.start + 1);
        let position = b"xyzw"[..width].iter().position(|known| name == [*known]);
        named.push((
            position.filter(|_| is_named)?,
            element.start + 3..element.end,
        ));
    }
    if named.is_sorted_by(|(one, _), (next, _)| one < next) {
        return Some(in_place(cx, elements, &named, width));
    }
    let inside = cx.doc.range(elements[0].start, elements.last()?.end - 1);
    let calls = named
        .iter()
        .any(|(_, value)| value.clone().any(|at| cx.doc.is(at, "(")));
    if calls || !is_code_alone(cx, inside) {
        return Some(Vec::new());
    }
    let mut values = vec![Part::Text("0"); width];
    for (position, value) in named {
        values[position] = Part::Code(cx.doc.range(value.start, value.end - 1));
    }
    let parts = values
        .into_iter()
        .flat_map(|value| [Part::Text(", "), value]);
    let parts: Vec<Part> = parts.skip(1).collect();
    Some(vec![written_anew(cx, inside, &parts)])
}

/// Names become the zeros that are missing in front of them.
fn in_place(
    cx: &Context<'_, '_>,
    elements: &[Range<TokenIndex>],
    named: &[(usize, Range<TokenIndex>)],
    width: usize,
) -> Vec<Edit> {
    let (mut edits, mut next) = (Vec::new(), 0);
    for (element, (position, value)) in elements.iter().zip(named) {
        let name = TextRange::new(cx.range(element.start).start, cx.range(value.start).start);
        edits.push(Edit::replace(name, "0, ".repeat(position - next)));
        next = position + 1;
    }
    if let Some((_, last)) = named.last().filter(|_| next < width) {
        let zeros = ", 0".repeat(width - next);
        edits.push(Edit::insert(cx.range(last.end - 1).end, zeros));
    }
    edits
}
