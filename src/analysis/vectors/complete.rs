//! The edits that make a list for a vector one that HIP takes: all elements, in order, in braces or behind the name of the type.

use std::ops::Range;

use super::fill::is_number;
use super::{VectorValue, list_values};
use crate::analysis::rename::{Part, is_code_alone, written_anew};
use crate::analysis::unit::Unit;
use crate::cpp::arithmetic::{element, value};
use crate::cpp::calls::is_in_parentheses;
use crate::edit::Edit;
use crate::syntax::{Document, TokenIndex};
use crate::text::TextRange;

/// The braces and zeros that a vector lacks, or the name of a type of one element, whose constructor may only be called.
pub(crate) fn completed(cx: &Unit<'_, '_>, value: &VectorValue) -> Vec<Edit> {
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

/// The elements of `{.x = a}` in order, one of a single element behind the name of its type; none where they cannot be put so.
pub(crate) fn ordered(cx: &Unit<'_, '_>, value: &VectorValue, open: TokenIndex) -> Vec<Edit> {
    let width = width(cx.doc, value.ty);
    let mut edits = designated(cx, &value.elements, width).unwrap_or_default();
    let before = cx.doc.prev(open);
    let is_behind_name = before.is_some_and(|at| cx.doc.is_ident(at) && !cx.doc.is(at, "return"));
    if width == 1 && !is_behind_name && !edits.is_empty() {
        let element = &value.elements[0];
        let range = cx.doc.range(open, element.end - 1);
        edits.push(Edit::insert(range.start, cx.text(value.ty).into_owned()));
        if let Some(cast) = cast(cx, value.ty, &(element.start + 3..element.end)) {
            edits[0].content = cast.into();
            edits.push(Edit::insert(range.end, ")"));
        }
    }
    edits
}

/// The cast of an element of another type: outside functions clang 19 does not find the constructor that takes it (ROCm 6.4's headers,
/// libstdc++ 12).
fn cast(cx: &Unit<'_, '_>, ty: TokenIndex, element_tokens: &Range<TokenIndex>) -> Option<String> {
    let (wanted, name) = element(cx.doc.bytes(ty))?;
    let given = value(cx.doc, element_tokens.clone()).map(|value| value.ty);
    let is_inside = cx.doc.scopes().enclosing(element_tokens.start).is_some();
    (!is_inside && given != Some(wanted)).then(|| format!("static_cast<{name}>("))
}

/// How many elements the type of a name has.
pub(crate) fn width(doc: &Document<'_>, index: TokenIndex) -> usize {
    let digit = doc.bytes(index).last();
    digit.map_or(0, |digit| usize::from(digit - b'0'))
}

/// `float1 v = {1}`, whose constructor may only be called.
pub(crate) fn explicit(cx: &Unit<'_, '_>, index: TokenIndex) -> Option<Vec<Edit>> {
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
    let mut edits = vec![match is_parameter {
        true => Edit::insert(cx.range(list).start, cx.text(index).into_owned()),
        false => Edit::delete(gone),
    }];
    if doc.is(list + 1, ".") {
        let elements = list_values(doc, list + 1..doc.matching_bracket(list)?);
        edits.extend(designated(cx, &elements, 1)?);
    }
    Some(edits)
}

/// `{a}` and `{a, b}` of a wider vector: the missing elements are 0 in CUDA. `{v}` of another vector is a copy.
pub(crate) fn partial(
    cx: &Unit<'_, '_>,
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
pub(crate) fn designated(
    cx: &Unit<'_, '_>,
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
    cx: &Unit<'_, '_>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::vectors::vectors_in_lists;
    use crate::engine::probe::{applied, of_file};

    #[test]
    fn lists_get_all_elements_in_order() {
        for (text, expected) in [
            ("float2 v[1] = {{1}};", "float2 v[1] = {{1, 0}};"),
            ("float2 v[1] = {1};", "float2 v[1] = {{1, 0}};"),
            ("int1 v[1] = {{1,},};", "int1 v[1] = {int1{1,},};"),
            (
                "float4 f() { return {.y = 1}; }",
                "float4 f() { return {0, 1, 0, 0}; }",
            ),
            (
                "float2 f(float a) { return {.y = 1, .x = a}; }",
                "float2 f(float a) { return {a, 1}; }",
            ),
            ("int1 v[1] = {{.x = 1}};", "int1 v[1] = {int1{1}};"),
            (
                "char1 v[1] = {{.x = 1}};",
                "char1 v[1] = {char1{static_cast<signed char>(1)}};",
            ),
            (
                "float2 f() { return {.a = 1}; }",
                "float2 f() { return {.a = 1}; }",
            ),
        ] {
            let result = of_file(text, |cx| {
                let values = vectors_in_lists(cx.doc).into_iter().flatten();
                let edits = values.flat_map(|value| {
                    let is_named = cx.doc.is(value.elements[0].start, ".");
                    match value.open.filter(|_| is_named) {
                        Some(open) => ordered(cx, &value, open),
                        None => completed(cx, &value),
                    }
                });
                applied(cx, &edits.collect::<Vec<_>>())
            });
            assert_eq!(result, expected);
        }
    }
}
