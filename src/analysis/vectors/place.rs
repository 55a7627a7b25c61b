//! What a list in braces is for, by where it stands.

use std::ops::Range;
use std::rc::Rc;

use super::shape::Shape;
use crate::cpp::calls::enclosing_call;
use crate::cpp::declarations::{declaration, declared, declared_below, initializer_list};
use crate::cpp::definitions::declares;
use crate::syntax::{Document, TokenIndex, split_arguments};
use crate::text::keywords::introduces_name;

/// What a list in braces is for.
#[derive(Debug)]
pub(super) struct Place {
    /// What it fills.
    pub(super) shape: Shape,
    /// It holds the arguments of a constructor: `: v{1}`, `new float4{1}`.
    pub(super) is_direct: bool,
}

/// What the list that opens at a brace fills, if a vector has part in it and the list does not stand behind the vector's name.
pub(super) fn place(doc: &Document<'_>, open: TokenIndex) -> Option<Place> {
    let before = doc.prev(open)?;
    let is_direct = doc.is_ident(before) && !doc.is(before, "return");
    let shape = match doc.bytes(before) {
        b"return" => returned(doc, before),
        b"=" => assigned(doc, before),
        b"(" | b"," => in_parentheses(doc, open),
        b"]" => array(doc, before),
        b">" => Some(Shape::of_type(doc, before)),
        _ if is_direct => behind_name(doc, before),
        _ => None,
    }?;
    // Who looks at the names of the vectors sees those lists.
    let is_named = matches!(shape, Shape::Vector(ty, _) if initializer_list(doc, ty) == Some(open));
    (shape.has_vector() && !is_named).then_some(Place { shape, is_direct })
}

/// `v{`: of a variable, a member in a list of initialisers, or a type.
fn behind_name(doc: &Document<'_>, name: TokenIndex) -> Option<Shape> {
    let before = doc.prev(name)?;
    match doc.bytes(before) {
        b")" => None,
        word if introduces_name(word) => None,
        b":" | b"," => member(doc, name).or_else(|| Some(Shape::of_declared(doc, name))),
        _ if declaration(doc, name).is_some() => Some(Shape::of_declared(doc, name)),
        b"}" if !matches!(Shape::of_declared(doc, name), Shape::Other) => {
            Some(Shape::of_declared(doc, name))
        }
        _ => Some(Shape::of_type(doc, name)),
    }
}

/// `v[2]{` and `new float2[2]{`.
fn array(doc: &Document<'_>, close: TokenIndex) -> Option<Shape> {
    let mut open = doc.matching_bracket(close)?;
    while let Some(earlier) = doc.prev(open).filter(|&at| doc.is(at, "]")) {
        open = doc.matching_bracket(earlier)?;
    }
    let name = doc.prev(open).filter(|&name| doc.is_ident(name))?;
    if declaration(doc, name).is_some() && !doc.is_before(name, "new") {
        return Some(Shape::of_declared(doc, name));
    }
    let element = Shape::of_type(doc, name);
    Some(Shape::Array(Rc::new(element), None))
}

/// The type that the function around returns, if it is no reference or pointer.
fn returned(doc: &Document<'_>, at: TokenIndex) -> Option<Shape> {
    let function = doc.scopes().enclosing(at)?;
    if let Some(last) = doc.prev(function.body.start)
        && (doc.is_before(last, "->") || doc.is(last, ">"))
        && !doc.is(last, ")")
    {
        return Some(Shape::of_type(doc, last));
    }
    if let Some(operator) = doc.occurrences(b"operator", function.head.clone()).last() {
        let is_call = doc.next_is(operator, "(");
        let ty = if is_call {
            doc.prev(operator)
        } else {
            doc.next(operator)
        };
        return ty.map(|ty| Shape::of_type(doc, ty));
    }
    let mut name = function.name?;
    while doc.prev_is(name, "::") {
        name = doc.prev(doc.prev(name)?)?;
    }
    let ty = doc.prev(name)?;
    (ty >= function.head.start).then(|| Shape::of_type(doc, ty))
}

/// The type of what a list initialises or is assigned to.
fn assigned(doc: &Document<'_>, equals: TokenIndex) -> Option<Shape> {
    let (name, indices) = behind_indices(doc, doc.prev(equals)?)?;
    let before = doc.prev(name).filter(|_| doc.is_ident(name))?;
    if doc.is(before, "using") {
        return None;
    }
    // `float4 &&v = {1}`; no expression puts a list into a conjunction.
    if doc.is(before, "&&") {
        return Some(Shape::of_type(doc, doc.prev(before)?));
    }
    if matches!(doc.bytes(before), b"." | b"->") {
        return Some(without(member_of(doc, name, MOST_MEMBERS)?, indices));
    }
    let own = Shape::of_declared(doc, name);
    if declaration(doc, name).is_some() || !matches!(own, Shape::Other) {
        return Some(own);
    }
    let stars = usize::from(doc.is(before, "*"));
    let start = if stars == 1 {
        doc.prev(before)?
    } else {
        before
    };
    let starts = matches!(
        doc.bytes(start),
        b";" | b"{" | b"}" | b")" | b"else" | b"=" | b":" | b"do"
    );
    let found = declared(doc, name).filter(|_| starts)?;
    Some(without(
        Shape::of_declared(doc, found.name),
        indices + stars,
    ))
}

/// The name in front of indices, `m[1][n]`, and how many they are.
fn behind_indices(doc: &Document<'_>, mut last: TokenIndex) -> Option<(TokenIndex, usize)> {
    let mut indices = 0;
    while let Some(open) = doc.matching_bracket(last).filter(|_| doc.is(last, "]")) {
        last = doc.prev(open)?;
        indices += 1;
    }
    Some((last, indices))
}

/// Members of members are followed so far, as many as types within types: each is a call within a call.
const MOST_MEMBERS: usize = 8;

/// The type of the member at `name` of what stands in front of it: `s.a`, `p->s.a`, `this->a`.
fn member_of(doc: &Document<'_>, name: TokenIndex, levels: usize) -> Option<Shape> {
    let levels = levels.checked_sub(1)?;
    let sign = doc.prev(name)?;
    let (object, indices) = behind_indices(doc, doc.prev(sign)?)?;
    if !doc.is_ident(object) {
        return None;
    }
    if doc.is(object, "this") {
        let found = declared_below(doc, name).or_else(|| declared(doc, name))?;
        return Some(Shape::of_declared(doc, found.name));
    }
    let is_member = doc
        .prev(object)
        .is_some_and(|at| matches!(doc.bytes(at), b"." | b"->"));
    let whole = match is_member {
        true => member_of(doc, object, levels)?,
        false => Shape::of_declared(doc, declared(doc, object)?.name),
    };
    let stars = usize::from(doc.is(sign, "->"));
    Some(without(whole, indices + stars).member(doc, doc.bytes(name)))
}

fn without(shape: Shape, indices: usize) -> Shape {
    (0..indices).fold(shape, |shape, _| shape.inner())
}

/// The type of a member in a list of initialisers: `: v{1}`, `, v{1}`.
fn member(doc: &Document<'_>, name: TokenIndex) -> Option<Shape> {
    if !matches!(doc.bytes(doc.prev(name)?), b":" | b",") {
        return None;
    }
    let found = declared(doc, name).or_else(|| declared_below(doc, name))?;
    Some(Shape::of_declared(doc, found.name))
}

/// An argument: of a member's or variable's constructor, of a function that the file declares once, of a container.
fn in_parentheses(doc: &Document<'_>, open: TokenIndex) -> Option<Shape> {
    let callee = enclosing_call(doc, open)?;
    let call = doc.call(callee)?;
    let is_whole =
        |it: &Range<TokenIndex>| it.start == open && doc.matching_bracket(open) == Some(it.end - 1);
    let at = call.arguments.iter().position(is_whole)?;
    let is_alone = call.arguments.len() == 1;
    if let Some(shape) = member(doc, callee).filter(|_| is_alone) {
        return Some(shape);
    }
    if matches!(
        doc.bytes(callee),
        b"push_back" | b"push_front" | b"push" | b"insert" | b"emplace_back" | b"fill" | b"assign"
    ) {
        let object = doc.prev(doc.prev(callee)?)?;
        let found = declared(doc, object)?;
        return Some(Shape::of_declared(doc, found.name).inner());
    }
    // `float2({1})`, `float2 v({1})`, `std::vector<float2> v(4, {1})`
    let own = match Shape::of_type(doc, callee) {
        Shape::Other if declaration(doc, callee).is_some() => Shape::of_declared(doc, callee),
        own => own,
    };
    match own {
        Shape::List(inner) => Some((*inner).clone()),
        // `Body b({1})`
        Shape::Other => {
            let ty = declaration(doc, callee).and_then(|it| it.words.last().copied());
            let known = match ty {
                Some(ty) => doc.noted("constructors", ty, |at| constructs(doc, at)),
                None => doc.noted("declared functions", doc.bytes(callee), |at| {
                    declares(doc, at)
                }),
            };
            let [declared] = known[..] else { return None };
            parameter(doc, declared, at, call.arguments.len())
        }
        own => is_alone.then_some(own),
    }
}

/// Whether a constructor is declared at its name: `Body(float4 v) : v(v) {}`.
fn constructs(doc: &Document<'_>, at: TokenIndex) -> bool {
    let follows = doc.prev(at).is_some_and(|it| {
        matches!(
            doc.bytes(it),
            b"{" | b"}" | b";" | b":" | b"__device__" | b"__host__" | b"explicit" | b"constexpr"
        )
    });
    let open = doc.next(at).filter(|&open| follows && doc.is(open, "("));
    let behind = open.and_then(|open| doc.next(doc.matching_bracket(open)?));
    behind.is_some_and(|at| matches!(doc.bytes(at), b":" | b"{" | b";"))
}

/// The type of a parameter of the function that is declared at its name.
fn parameter(doc: &Document<'_>, declared: TokenIndex, at: usize, given: usize) -> Option<Shape> {
    let list = doc.next(declared).filter(|&list| doc.is(list, "("))?;
    let parameters = split_arguments(doc, list + 1..doc.matching_bracket(list)?);
    let parameter = parameters.get(at).filter(|_| parameters.len() >= given)?;
    let words: Vec<TokenIndex> = parameter
        .clone()
        .take_while(|&at| !doc.is(at, "="))
        .filter(|&at| !matches!(doc.bytes(at), b"const" | b"&"))
        .collect();
    match words[..] {
        [ty] => Some(Shape::of_type(doc, ty)),
        [.., ty, name] if doc.is_ident(name) && (doc.is_ident(ty) || doc.is(ty, ">")) => {
            Some(Shape::of_type(doc, ty))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::analysis::vectors::probe::assert_found;

    #[test]
    fn the_place_of_a_list_tells_its_type() {
        assert_found(
            "",
            &[
                ("float2 f() { return {1}; }", &["float2 1"]),
                ("int3 S::f() const { return {1}; }", &["int3 1"]),
                ("auto f = []() -> int2 { return {1}; };", &["int2 1"]),
                (
                    "struct S { int2 operator()(int) { return {1}; } };",
                    &["int2 1"],
                ),
                ("float2 *f() { return {1}; }", &[]),
                ("Mine f() { return {1}; }", &[]),
                ("void f(float4 v) { v = {1}; }", &["float4 1"]),
                (
                    "void f(float4 *v) { v[0] = {1}; *v = {2}; }",
                    &["float4 1", "float4 2"],
                ),
                ("void f(float4 *v) { v = {1}; }", &[]),
                ("void f() { float4 m[2][2]; m[1][0] = {1}; }", &["float4 1"]),
                ("float4 o, v = {1};", &["float4 1"]),
                ("float4 &&v = {1,};", &["float4 1"]),
                ("using V = float4; V v{1};", &["float4 1"]),
                ("typedef float4 V; V v = {1};", &["float4 1"]),
                ("float2 v[2] = {{1}};", &["float2 1"]),
                ("std::vector<float2> v = {{1}};", &["float2 1"]),
                ("std::map<int, float2> v = {{1, {2}}};", &["float2 2"]),
                ("std::pair<int, float2> v = {1, {2}};", &["float2 2"]),
                ("struct S { float2 v; S() : v{1} {} };", &["float2 1"]),
                ("float2 v({1});", &["float2 1"]),
                ("std::vector<float2> v(4, {1});", &["float2 1"]),
                (
                    "void f(std::vector<float2> &v) { v.push_back({1}); }",
                    &["float2 1"],
                ),
                // The name of the type stands in front.
                ("float2 v = {1};", &[]),
                ("void f(int2 v) { g({1}); }", &[]),
                ("void g(int, int2 v); void f() { g(1, {1}); }", &["int2 1"]),
                ("void g(const int2 &); void f() { g({1}); }", &["int2 1"]),
                ("void g(int2 *v); void f() { g({1}); }", &[]),
                (
                    "struct S { int2 t; S(int2 u) : t(u) {} }; S s({1});",
                    &["int2 1"],
                ),
                ("void g(int2); void g(int3); void f() { g({1}); }", &[]),
            ],
        );
    }
}
