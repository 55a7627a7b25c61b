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

use crate::analysis::elided_list::elided_lists;
use crate::analysis::rename::{Part, is_code_alone, written_anew};
use crate::analysis::vector_binding::vector_bindings;
use crate::analysis::vector_list::{Place, vector_list};
use crate::cpp::arithmetic::value;
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
            "ulonglong2",
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

/// What to do with numbers for `float1`.
const ONE_ELEMENT: &str =
    "write each element with its type, `float1{1.0f}`: the constructor from one number is explicit";

fn check(at: Site<'_>, cx: &mut Context<'_, '_>) {
    let Site::Ident(index) = at else {
        return lists(cx);
    };
    if let Some(edits) = elided(cx, index).or_else(|| explicit(cx, index)) {
        let finding = without_braces(cx, index, edits);
        return cx.report(finding);
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

/// What is said of elements that HIP takes in braces of their own.
fn without_braces(cx: &Context<'_, '_>, index: TokenIndex, edits: Vec<Edit>) -> Finding {
    let message = format!(
        "`{}` of HIP takes its elements in braces of their own",
        cx.text(index)
    );
    let finding = RULE.finding(cx.range(index), message);
    match edits.is_empty() {
        true => finding.severity(Severity::Error).help(ONE_ELEMENT),
        false => finding.fix(Fix::safe(edits)),
    }
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
    for list in elided_lists(doc) {
        if cx.is_own(doc.bytes(list.ty)) {
            continue;
        }
        let range = doc.range(list.values[0].start, list.values[0].end - 1);
        let message = format!(
            "`{}` of HIP takes its elements in braces of their own",
            cx.text(list.ty)
        );
        let finding = RULE.finding(range, message);
        cx.report(match width(doc, list.ty) {
            1 => finding.severity(Severity::Error).help(ONE_ELEMENT),
            _ => finding.fix(Fix::safe(in_braces(cx, list.ty, &list.values).to_vec())),
        });
    }
    for open in doc.open_braces() {
        let place = vector_list(doc, open).filter(|place| !cx.is_own(doc.bytes(place.ty)));
        let Some((place, close)) = place.zip(doc.matching_bracket(open)) else {
            continue;
        };
        let elements = split_arguments(doc, open + 1..close);
        if let Some(edits) = completed(cx, &place, open, &elements) {
            let message = format!("`{}` of HIP takes all elements", cx.text(place.ty));
            let finding = RULE.finding(doc.range(open, close), message);
            cx.report(finding.fix(Fix::safe(edits)));
        }
    }
}

/// The zeros that a list lacks, or the name of a type of one element, whose constructor may only be called.
fn completed(
    cx: &Context<'_, '_>,
    place: &Place,
    open: TokenIndex,
    elements: &[Range<TokenIndex>],
) -> Option<Vec<Edit>> {
    let nested = |element: &Range<TokenIndex>| {
        element.is_empty() || matches!(cx.doc.bytes(element.start), b"{" | b".")
    };
    if elements.is_empty() || elements.iter().any(nested) {
        return None;
    }
    let width = width(cx.doc, place.ty);
    if width > 1 {
        return partial(cx, elements, width);
    }
    let name = cx.text(place.ty).into_owned();
    (!place.is_direct && elements.len() == 1)
        .then(|| vec![Edit::insert(cx.range(open).start, name)])
}

/// How many elements the type of a name has.
fn width(doc: &Document<'_>, index: TokenIndex) -> usize {
    let digit = doc.bytes(index).last();
    digit.map_or(0, |digit| usize::from(digit - b'0'))
}

/// `float2 v[2] = {1, 2, 3, 4}`: numbers fill one vector after the other. Of other elements each may be a vector. No edits for vectors
/// of one element, whose constructor is explicit.
fn elided(cx: &Context<'_, '_>, index: TokenIndex) -> Option<Vec<Edit>> {
    let doc = cx.doc;
    let name = doc.next(index).filter(|&at| doc.is_ident(at))?;
    let bracket = doc.next(name).filter(|&at| doc.is(at, "["))?;
    let equals = doc.next(doc.matching_bracket(bracket)?)?;
    let list = if doc.is(equals, "=") {
        doc.next(equals)?
    } else {
        equals
    };
    let close = doc.matching_bracket(list).filter(|_| doc.is(list, "{"))?;
    let elements = split_arguments(doc, list + 1..close);
    let is_number = |element: &Range<TokenIndex>| !element.is_empty() && is_scalar(doc, element);
    let width = width(doc, index);
    if width == 0 || elements.is_empty() || !elements.iter().all(is_number) {
        return None;
    }
    let vectors = elements.chunks(width).filter(|_| width > 1);
    Some(vectors.flat_map(|it| in_braces(cx, index, it)).collect())
}

/// Some numbers as a vector: in braces, with the zeros that lack.
fn in_braces(cx: &Context<'_, '_>, ty: TokenIndex, numbers: &[Range<TokenIndex>]) -> [Edit; 2] {
    let width = width(cx.doc, ty);
    let zeros = ", 0".repeat(width - numbers.len());
    let end = cx.range(numbers[numbers.len() - 1].end - 1).end;
    [
        Edit::insert(cx.range(numbers[0].start).start, "{"),
        Edit::insert(end, zeros + "}"),
    ]
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
    let is_parameter = doc
        .next(doc.matching_bracket(list)?)
        .is_some_and(|next| doc.is(next, ")"))
        || doc.prev_is(index, "(");
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
    let scalar = elements.len() > 1 || is_scalar(cx.doc, &elements[0]);
    (scalar && elements.len() < width).then(|| {
        let zeros = ", 0".repeat(width - elements.len());
        vec![Edit::insert(cx.range(last.end - 1).end, zeros)]
    })
}

/// Whether a single element is certainly a number: a literal, a variable that is declared so, or arithmetic with them.
fn is_scalar(doc: &Document<'_>, element: &Range<TokenIndex>) -> bool {
    value(doc, element.clone()).is_some()
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
