//! Lists in braces that make one of CUDA's vectors, in places that do not name its type.

use std::ops::Range;

use crate::cpp::arithmetic::element;
use crate::cpp::calls::enclosing_call;
use crate::cpp::declarations::{Declared, declared, declared_below};
use crate::cpp::definitions::declares;
use crate::syntax::{Document, TokenIndex, split_arguments};

/// What a list in braces is for.
pub(crate) struct Place {
    /// A token that names the type: `float4`.
    pub ty: TokenIndex,
    /// The list stands behind a member's name, so that it is the arguments of a constructor: `: v{1}`.
    pub is_direct: bool,
}

/// The vector that the list opening at a brace makes: `return {`, `v = {`, `v[i] = {`, `: v{`, `: v({`, `g({`, or one of the lists of
/// `float4 v[] = {{`. `None` where the name of the type stands in front, and where the type is not in sight.
pub(crate) fn vector_list(doc: &Document<'_>, open: TokenIndex) -> Option<Place> {
    let before = doc.prev(open)?;
    let is_direct = doc.is_ident(before);
    let ty = match doc.bytes(before) {
        b"return" => returned(doc, before),
        b"=" => assigned(doc, before),
        b"{" => in_array(doc, open),
        b"," => in_array(doc, open).or_else(|| argument(doc, open)),
        b"(" => member(doc, doc.prev(before)?).or_else(|| argument(doc, open)),
        _ if is_direct => member(doc, before),
        _ => None,
    }?;
    let is_direct = is_direct && !doc.is(before, "return");
    Some(Place { ty, is_direct })
}

fn is_vector(doc: &Document<'_>, at: TokenIndex) -> bool {
    doc.is_ident(at) && !doc.is(at, "dim3") && element(doc.bytes(at)).is_some()
}

/// How many elements the type has that a token names, if it is a vector.
pub(super) fn vector_width(doc: &Document<'_>, at: TokenIndex) -> Option<usize> {
    let digit = doc.bytes(at).last().filter(|_| is_vector(doc, at))?;
    Some(usize::from(digit - b'0'))
}

/// The type of a parameter of `g({1})`, where the file declares `g` once.
fn argument(doc: &Document<'_>, open: TokenIndex) -> Option<TokenIndex> {
    let callee = enclosing_call(doc, open)?;
    let call = doc.call(callee)?;
    let is_whole =
        |it: &Range<TokenIndex>| it.start == open && doc.matching_bracket(open) == Some(it.end - 1);
    let at = call.arguments.iter().position(is_whole)?;
    let name = std::str::from_utf8(doc.bytes(callee)).ok()?;
    let mut known = doc.all(name).filter(|&name| declares(doc, name));
    let declared = known.next().filter(|_| known.next().is_none())?;
    let list = doc.next(declared)?;
    let parameters = split_arguments(doc, list + 1..doc.matching_bracket(list)?);
    let parameter = parameters
        .get(at)
        .filter(|_| parameters.len() == call.arguments.len())?;
    let mut words = parameter.clone().filter(|&at| !doc.is(at, "const"));
    let ty = words.next().filter(|&ty| is_vector(doc, ty))?;
    let is_value = words
        .next()
        .is_none_or(|next| doc.is_ident(next) || doc.is(next, "&"));
    is_value.then_some(ty)
}

/// The type that the function around returns, if it is a vector and no reference or pointer.
fn returned(doc: &Document<'_>, at: TokenIndex) -> Option<TokenIndex> {
    let function = doc.scopes().enclosing(at)?;
    if let Some(last) = doc.prev(function.body.start)
        && doc.is_before(last, "->")
    {
        return is_vector(doc, last).then_some(last);
    }
    let mut name = function.name?;
    while doc.prev_is(name, "::") {
        name = doc.prev(doc.prev(name)?)?;
    }
    let ty = doc.prev(name)?;
    (ty >= function.head.start && is_vector(doc, ty)).then_some(ty)
}

/// The type of what a list is assigned to, where it was declared before.
fn assigned(doc: &Document<'_>, equals: TokenIndex) -> Option<TokenIndex> {
    let target = doc.prev(equals)?;
    let (name, pointers) = match doc.matching_bracket(target).filter(|_| doc.is(target, "]")) {
        Some(bracket) => (doc.prev(bracket)?, 1),
        None => (target, 0),
    };
    let starts = matches!(
        doc.bytes(doc.prev(name)?),
        b";" | b"{" | b"}" | b")" | b"else"
    );
    let found = declared(doc, name).filter(|found| starts && found.pointers == pointers)?;
    type_of(doc, &found)
}

/// The type of a member in a list of initialisers: `: v{1}`, `, v{1}`.
fn member(doc: &Document<'_>, name: TokenIndex) -> Option<TokenIndex> {
    if !matches!(doc.bytes(doc.prev(name)?), b":" | b",") {
        return None;
    }
    let found = declared(doc, name).or_else(|| declared_below(doc, name))?;
    type_of(doc, &found).filter(|_| found.pointers == 0)
}

/// The element type of the array whose list is around.
fn in_array(doc: &Document<'_>, open: TokenIndex) -> Option<TokenIndex> {
    let outer = doc.braces_around(open).find(|&brace| brace < open)?;
    let mut at = doc.prev(outer)?;
    if doc.is(at, "=") {
        at = doc.prev(at)?;
    }
    let is_array = doc.is(at, "]");
    if is_array {
        at = doc.prev(doc.matching_bracket(at)?)?;
    }
    let ty = doc.prev(at).filter(|_| doc.is_ident(at))?;
    if is_array {
        return is_vector(doc, ty).then_some(ty);
    }
    // `std::vector<float4> v = {{`
    let inside = doc.prev(ty).filter(|_| doc.is(ty, ">"))?;
    let opens = doc.prev(inside).is_some_and(|angle| doc.is(angle, "<"));
    let is_list = doc
        .prev(inside)
        .and_then(|angle| doc.prev(angle))
        .is_some_and(|name| doc.is(name, "vector"));
    (opens && is_list && is_vector(doc, inside)).then_some(inside)
}

/// The token that names the type of a declaration.
fn type_of(doc: &Document<'_>, found: &Declared<'_>) -> Option<TokenIndex> {
    let mut at = doc.prev(found.name)?;
    while doc.is(at, "*") || doc.is(at, "const") {
        at = doc.prev(at)?;
    }
    is_vector(doc, at).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    /// The type of the list that opens last, and whether its elements are arguments of a constructor.
    fn last(text: &str) -> Option<(String, bool)> {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let doc = Document::new(&source);
        let place = vector_list(&doc, doc.open_braces().last()?)?;
        let name = String::from_utf8_lossy(doc.bytes(place.ty)).into_owned();
        Some((name, place.is_direct))
    }

    #[test]
    fn the_place_of_a_list_tells_its_type() {
        for (text, expected) in [
            ("float2 f() { return {1}; }", Some(("float2", false))),
            ("int3 S::f() const { return {1}; }", Some(("int3", false))),
            (
                "auto f = []() -> int2 { return {1}; };",
                Some(("int2", false)),
            ),
            ("float2 *f() { return {1}; }", None),
            ("Mine f() { return {1}; }", None),
            ("void f(float4 v) { v = {1}; }", Some(("float4", false))),
            ("void f(float4 *v) { v[0] = {1}; }", Some(("float4", false))),
            ("void f(float4 *v) { v = {1}; }", None),
            ("float2 v[2] = {{1}};", Some(("float2", false))),
            ("std::vector<float2> v = {{1}};", Some(("float2", false))),
            ("std::map<int, float2> v = {{1}};", None),
            ("struct S { float2 v; S() : v{1} }", Some(("float2", true))),
            ("float2 v = {1};", None),
            ("void f(int2 v) { g({1}); }", None),
            (
                "void g(int, int2 v); void f() { g(1, {1}); }",
                Some(("int2", false)),
            ),
            (
                "void g(const int2 &); void f() { g({1}); }",
                Some(("int2", false)),
            ),
            ("void g(int2 *v); void f() { g({1}); }", None),
            ("void g(int2); void g(int3); void f() { g({1}); }", None),
        ] {
            let expected = expected.map(|(name, is_direct)| (name.to_owned(), is_direct));
            assert_eq!(last(text), expected, "{text}");
        }
    }
}
