//! What a type is made of, as far as the tokens of one file show it: which of its parts are CUDA's vectors.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::cpp::arithmetic::element;
use crate::cpp::calls::template_arguments;
use crate::cpp::declarations::{angle_open, declaration};
use crate::cpp::windows::DECLARATION;
use crate::syntax::{Document, TokenIndex, split_arguments};
use crate::text::keywords::{is_cv, is_restrict, is_type_key};
use crate::text::number::Integer;

/// What a list in braces fills.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// One of CUDA's vectors: the word that names it, and how many elements it has.
    Vector(TokenIndex, usize),
    /// So many of the same; as many as there are values where the file does not show the number.
    Array(Rc<Shape>, Option<usize>),
    /// The members of a plain structure.
    Record(Rc<Members>),
    /// A container made of a list: `std::vector`.
    List(Rc<Shape>),
    /// One value for each: `std::pair`.
    Each(Rc<Members>),
    /// What a pointer points to.
    Pointer(Rc<Shape>),
    /// Anything else.
    Other,
}

/// The parts of a type, each with the token that names it.
#[derive(Debug)]
pub(super) struct Members {
    pub(super) shapes: Vec<(TokenIndex, Shape)>,
    /// Asked once: of structures of structures of many members there are many paths to the same part.
    has_vector: bool,
}

impl Members {
    fn new(shapes: Vec<(TokenIndex, Shape)>) -> Rc<Self> {
        let has_vector = shapes.iter().any(|(_, shape)| shape.has_vector());
        Rc::new(Self { shapes, has_vector })
    }
}

/// Types within types are followed so far.
const DEPTH: usize = 6;

/// Dimensions and stars of one name; no program has more, and each is a shape within a shape.
const MOST_LEVELS: usize = 8;

/// The types of a file, by the token that defines them and how far they are followed: one of many members is worked out once.
#[derive(Default)]
struct Known(RefCell<FxHashMap<(TokenIndex, usize), Shape>>);

/// How many elements the type has that a token names, if it is a vector.
fn vector_width(doc: &Document<'_>, at: TokenIndex) -> Option<usize> {
    let word = doc.bytes(at);
    let is_vector = doc.is_ident(at) && word != b"dim3" && element(word).is_some();
    let digit = word.last().filter(|_| is_vector)?;
    Some(usize::from(digit - b'0'))
}

impl Shape {
    /// Of the type that ends with a token: `float2`, `Body`, `std::vector<float2>`.
    pub(super) fn of_type(doc: &Document<'_>, last: TokenIndex) -> Self {
        of_type(doc, last, DEPTH)
    }

    /// Of what a declaration declares at a name: `float2 v[2]`, `Body *b`.
    pub(super) fn of_declared(doc: &Document<'_>, name: TokenIndex) -> Self {
        declared_type(doc, name).map_or(Self::Other, |(ty, stars)| {
            declarator(doc, name, of_type(doc, ty, DEPTH), stars)
        })
    }

    /// What is left behind an index or a star: the element.
    pub(super) fn inner(self) -> Self {
        match self {
            Self::Array(inner, _) | Self::Pointer(inner) | Self::List(inner) => (*inner).clone(),
            _ => Self::Other,
        }
    }

    /// The member of a name.
    pub(super) fn member(self, doc: &Document<'_>, name: &[u8]) -> Self {
        let Self::Record(members) = self else {
            return Self::Other;
        };
        let mut found = members.shapes.iter().filter(|it| doc.bytes(it.0) == name);
        found.next().map_or(Self::Other, |it| it.1.clone())
    }

    /// Whether there is a vector in it.
    pub(super) fn has_vector(&self) -> bool {
        match self {
            Self::Vector(..) => true,
            Self::Array(inner, _) | Self::List(inner) => inner.has_vector(),
            Self::Record(members) | Self::Each(members) => members.has_vector,
            Self::Pointer(_) | Self::Other => false,
        }
    }
}

/// The last word of the type that a declaration gives a name, and how many stars stand between them.
fn declared_type(doc: &Document<'_>, name: TokenIndex) -> Option<(TokenIndex, usize)> {
    // `struct { … } name`
    if let Some(close) = doc
        .prev(name)
        .filter(|&close| body_key(doc, close).is_some())
    {
        return Some((close, 0));
    }
    let found = declaration(doc, name)?;
    let stars = found.pointers - usize::from(doc.next_is(name, "["));
    let mut at = doc.prev(name)?;
    while matches!(
        doc.bytes(at),
        b"*" | b"&" | b"&&" | b"const" | b"__restrict__"
    ) {
        at = doc.prev(at)?;
    }
    if !doc.is(at, ",") {
        return Some((at, stars));
    }
    // `float2 a, b`: the type stands in front of the first.
    let word = found.words.last()?;
    let earlier = (at.saturating_sub(DECLARATION)..at).rev();
    let ty = earlier.into_iter().find(|&at| doc.bytes(at) == *word)?;
    Some((ty, stars))
}

/// A type with the stars in front of a name and the brackets behind it.
fn declarator(doc: &Document<'_>, name: TokenIndex, ty: Shape, stars: usize) -> Shape {
    let (mut sizes, mut at) = (Vec::new(), doc.next(name));
    while let Some(open) = at.filter(|&at| doc.is(at, "[")) {
        let Some(close) = doc.matching_bracket(open) else {
            break;
        };
        let number = || Integer::parse(doc.bytes(open + 1));
        let size = (close == open + 2).then(number).flatten();
        sizes.push(size.and_then(|it| usize::try_from(it.value).ok()));
        at = doc.next(close);
    }
    if stars + sizes.len() > MOST_LEVELS {
        return Shape::Other;
    }
    let pointed = (0..stars).fold(ty, |shape, _| Shape::Pointer(Rc::new(shape)));
    let array = |shape, size| Shape::Array(Rc::new(shape), size);
    sizes.into_iter().rev().fold(pointed, array)
}

fn of_type(doc: &Document<'_>, last: TokenIndex, depth: usize) -> Shape {
    if let Some(width) = vector_width(doc, last) {
        return Shape::Vector(last, width);
    }
    if depth == 0 {
        return Shape::Other;
    }
    if doc.is(last, ">") {
        return of_template(doc, last, depth).unwrap_or(Shape::Other);
    }
    if let Some((open, key)) = body_key(doc, last) {
        return members(doc, open, doc.is(key, "union"), depth - 1);
    }
    if !doc.is_ident(last) {
        return Shape::Other;
    }
    let known = doc.noted("types of lists", doc.bytes(last), |at| {
        definition(doc, at).is_some()
    });
    let above = known.partition_point(|&at| at < last);
    let at = above.checked_sub(1).map(|at| known[at]);
    at.map_or(Shape::Other, |at| of_definition(doc, at, depth))
}

/// Of the type that is defined at a token.
fn of_definition(doc: &Document<'_>, at: TokenIndex, depth: usize) -> Shape {
    let known = doc.fact(|_| Known::default());
    if let Some(shape) = known.0.borrow().get(&(at, depth)) {
        return shape.clone();
    }
    let shape = match definition(doc, at) {
        Some(Definition::Members { open, is_union }) => members(doc, open, is_union, depth - 1),
        Some(Definition::Alias(ty)) => of_type(doc, ty, depth - 1),
        None => Shape::Other,
    };
    known.0.borrow_mut().insert((at, depth), shape.clone());
    shape
}

/// Containers of the standard library.
fn of_template(doc: &Document<'_>, close: TokenIndex, depth: usize) -> Option<Shape> {
    let name = doc.prev(angle_open(doc, close)?)?;
    let (arguments, _) = template_arguments(doc, name)?;
    let argument = |at: usize| {
        let tokens = arguments.get(at).filter(|tokens| !tokens.is_empty());
        tokens.map_or(Shape::Other, |tokens| {
            of_type(doc, tokens.end - 1, depth - 1)
        })
    };
    let each = |count: usize| {
        let parts = (0..count).map(|at| (name, argument(at)));
        Shape::Each(Members::new(parts.collect()))
    };
    Some(match doc.bytes(name) {
        b"vector" | b"deque" | b"list" | b"initializer_list" | b"queue" | b"stack"
        | b"optional" => Shape::List(Rc::new(argument(0))),
        b"array" => {
            let size = arguments.get(1).filter(|tokens| tokens.len() == 1)?;
            let size = Integer::parse(doc.bytes(size.start));
            let size = size.and_then(|it| usize::try_from(it.value).ok());
            let elements = Shape::Array(Rc::new(argument(0)), size);
            Shape::Record(Members::new(vec![(name, elements)]))
        }
        b"pair" | b"tuple" => each(arguments.len()),
        b"map" | b"unordered_map" => Shape::List(Rc::new(each(2))),
        _ => return of_own_template(doc, name, argument, depth),
    })
}

/// A structure template of the file, with its arguments for the parameters.
fn of_own_template(
    doc: &Document<'_>,
    name: TokenIndex,
    argument: impl Fn(usize) -> Shape,
    depth: usize,
) -> Option<Shape> {
    let known = doc.noted("types of lists", doc.bytes(name), |at| {
        definition(doc, at).is_some()
    });
    let at = known[..known.partition_point(|&at| at < name)].last()?;
    let Shape::Record(members) = of_definition(doc, *at, depth) else {
        return None;
    };
    // `template <class V, int N> struct Box`
    let close = doc.prev(doc.prev(*at)?).filter(|&it| doc.is(it, ">"))?;
    let parameters = split_arguments(doc, angle_open(doc, close)? + 1..close);
    let position = |member: TokenIndex| {
        let word = doc.bytes(declared_type(doc, member)?.0);
        let is_named = |it: &Range<TokenIndex>| it.len() == 2 && doc.bytes(it.end - 1) == word;
        parameters.iter().position(is_named)
    };
    let substituted = members.shapes.iter().map(|(member, shape)| {
        let given = || Some(argument(position(*member)?));
        let is_open = matches!(shape, Shape::Other);
        let given = is_open.then(given).flatten();
        (*member, given.unwrap_or_else(|| shape.clone()))
    });
    Some(Shape::Record(Members::new(substituted.collect())))
}

/// What makes a word the name of a type.
enum Definition {
    Members { open: TokenIndex, is_union: bool },
    Alias(TokenIndex),
}

fn definition(doc: &Document<'_>, name: TokenIndex) -> Option<Definition> {
    let (before, next) = (doc.prev(name)?, doc.next(name)?);
    let members = |open, key: &[u8]| Definition::Members {
        open,
        is_union: key == b"union",
    };
    match doc.bytes(before) {
        key @ (b"struct" | b"union") if doc.is(next, "{") => Some(members(next, key)),
        b"using" if doc.is(next, "=") => {
            let end = (next..doc.tokens.len())
                .take(DECLARATION)
                .find(|&at| doc.is(at, ";"))?;
            Some(Definition::Alias(doc.prev(end)?))
        }
        // `typedef struct { … } Body;`
        b"}" if matches!(doc.bytes(next), b";" | b",") => {
            let (open, key) = body_key(doc, before)?;
            let is_typedef = doc.is_before(key, "typedef");
            is_typedef.then(|| members(open, doc.bytes(key)))
        }
        _ if doc.is(next, ";") => {
            let mut words = (name.saturating_sub(12)..name).rev();
            let ends = |at: TokenIndex| matches!(doc.bytes(at), b";" | b"{" | b"}" | b"*" | b"&");
            let typedef = words.find(|&at| ends(at) || doc.is(at, "typedef"))?;
            doc.is(typedef, "typedef")
                .then_some(Definition::Alias(before))
        }
        _ => None,
    }
}

/// Where the members of a structure or union open that close at a `}`, and the word that says which it is.
fn body_key(doc: &Document<'_>, close: TokenIndex) -> Option<(TokenIndex, TokenIndex)> {
    let open = doc.matching_bracket(close).filter(|_| doc.is(close, "}"))?;
    let is_key = |at: &TokenIndex| matches!(doc.bytes(*at), b"struct" | b"union");
    let before = doc.prev(open)?;
    let tagged = || doc.prev(before).filter(|_| doc.is_ident(before));
    let key = Some(before)
        .filter(is_key)
        .or_else(|| tagged().filter(is_key))?;
    Some((open, key))
}

/// The members of a structure that has no constructors, bases or parts of its own definition.
fn members(doc: &Document<'_>, open: TokenIndex, is_union: bool, depth: usize) -> Shape {
    let Some(close) = doc.matching_bracket(open) else {
        return Shape::Other;
    };
    let own = doc.prev(open).map_or(&b""[..], |name| doc.bytes(name));
    let (mut found, mut at) = (Vec::new(), open + 1);
    while at < close {
        let end = statement_end(doc, at, close);
        match member(doc, at..end, own, depth) {
            Some(members) => found.extend(members),
            None => return Shape::Other,
        }
        at = end + 1;
    }
    found.truncate(if is_union { 1 } else { found.len() });
    Shape::Record(Members::new(found))
}

/// The `;` of a member, or the `}` of a function's body.
fn statement_end(doc: &Document<'_>, start: TokenIndex, close: TokenIndex) -> TokenIndex {
    let (mut at, mut has_parameters) = (start, false);
    while at < close && !doc.is(at, ";") {
        has_parameters |= doc.is(at, "(");
        let inner = doc.matching_bracket(at).filter(|&inner| inner > at);
        if doc.is(at, "{") && has_parameters {
            return inner.unwrap_or(close);
        }
        at = inner.unwrap_or(at) + 1;
    }
    at.min(close)
}

/// The members that one statement of a structure declares; `None` if it makes the structure no plain one.
fn member(
    doc: &Document<'_>,
    tokens: Range<TokenIndex>,
    own: &[u8],
    depth: usize,
) -> Option<Vec<(TokenIndex, Shape)>> {
    let start = tokens.start;
    if tokens.is_empty()
        || doc.is(start, "using")
        || matches!(doc.bytes(start), b"static" | b"typedef")
    {
        return Some(Vec::new());
    }
    let ends_head = |at: &TokenIndex| matches!(doc.bytes(*at), b"=" | b"{" | b"(");
    let head_end = tokens.clone().find(ends_head).unwrap_or(tokens.end);
    if head_end < tokens.end && doc.is(head_end, "(") {
        let is_constructor = doc
            .prev(head_end)
            .is_some_and(|name| doc.bytes(name) == own);
        return (!is_constructor).then(Vec::new);
    }
    if (start..head_end).any(|at| is_part_of_more(doc.bytes(at))) {
        return None;
    }
    let names = declarators(doc, tokens);
    let mut ty = doc.prev(*names.first()?)?;
    while doc.is(ty, "*") || is_cv(doc.bytes(ty)) || is_restrict(doc.bytes(ty)) {
        ty = doc.prev(ty)?;
    }
    let shape = (ty >= start).then(|| of_type(doc, ty, depth))?;
    let one = |name: TokenIndex| {
        let before = (start..name).rev();
        let signs = before.take_while(|&at| doc.is(at, "*") || is_cv(doc.bytes(at)));
        let stars = signs.filter(|&at| doc.is(at, "*")).count();
        (name, declarator(doc, name, shape.clone(), stars))
    };
    Some(names.into_iter().map(one).collect())
}

/// Words of members that are more than variables: types, functions that are virtual, bits, who may use what.
fn is_part_of_more(word: &[u8]) -> bool {
    is_type_key(word) || matches!(word, b"virtual" | b":" | b"#" | b"template")
}

/// The names that a statement declares, one behind the other.
fn declarators(doc: &Document<'_>, tokens: Range<TokenIndex>) -> Vec<TokenIndex> {
    let (mut found, mut at, mut is_open) = (Vec::new(), tokens.start, true);
    while at < tokens.end {
        let ends = at + 1 == tokens.end || matches!(doc.bytes(at + 1), b"," | b"=" | b"[" | b"{");
        if is_open && ends && doc.is_ident(at) {
            found.push(at);
            is_open = false;
        }
        is_open |= doc.is(at, ",");
        let angle = doc.template_close(at);
        let inner = doc.matching_bracket(at).filter(|&inner| inner > at);
        at = inner.or(angle).unwrap_or(at) + 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::vectors::probe::assert_found;
    use crate::analysis::vectors::vectors_in_lists;
    use crate::text::SourceFile;

    /// Sixty members a level: 60^5 paths lead to the innermost type.
    #[test]
    fn a_type_of_many_members_is_worked_out_once() {
        let mut text = String::from("struct A0 { float2 v; };");
        for level in 1..6 {
            let member = |at| format!("A{} m{at};", level - 1);
            let members: String = (0..60).map(member).collect();
            text += &format!(
                "struct A{level} {{ {members} }}; using U{level} = std::tuple<A{level}, A{level}>;"
            );
        }
        text += "A5 a = {1, 2}; U5 u = {{1}, {2}};";
        let source = SourceFile::new("a.cu", text.into_bytes());
        let doc = Document::new(&source);
        assert_eq!(vectors_in_lists(&doc).len(), 1);
        let known = doc.fact(|_| Known::default());
        assert!(known.0.borrow().len() <= 2 * 6 * DEPTH);
    }

    #[test]
    fn dimensions_stars_and_members_without_end_are_no_shape() {
        let many = |text: &str| text.repeat(100_000);
        assert_found(
            "struct P { P *p; float2 v; };",
            &[
                (&format!("float2 v{} = {{1}};", many("[2]")), &[]),
                (&format!("float2 {}v = {{1}};", many("*")), &[]),
                (
                    &format!("void f(P *p) {{ p{}->v = {{1}}; }}", many("->p")),
                    &[],
                ),
                ("void f(P *p) { p->p->v = {1}; }", &["float2 1"]),
            ],
        );
    }

    #[test]
    fn structures_arrays_and_containers_are_followed() {
        assert_found(
            "float number(); float2 pair();",
            &[
                (
                    "float2 v[2] = {1, 2, 3};",
                    &["bare float2 1 2", "bare float2 3"],
                ),
                ("float2 v[2] = {pair(), pair()};", &[]),
                (
                    "float2 v[1] = {number(), number()};",
                    &["bare float2 number() number()"],
                ),
                ("float2 v[2][2] = {1, 2};", &["named float2 1 2"]),
                ("float2 v[2][2] = {{1, 2}};", &["bare float2 1 2"]),
                ("float1 v[2] = {1, {2}};", &["bare float1 1", "float1 2"]),
                (
                    "struct P { float2 a[2]; }; P p = {1, 2, 3, 4};",
                    &["named float2 1 2", "named float2 3 4"],
                ),
                (
                    "struct P { float2 a; int f(); }; P p = {1, 2};",
                    &["bare float2 1 2"],
                ),
                (
                    "typedef struct { float2 a; } P; P p = {1, 2};",
                    &["bare float2 1 2"],
                ),
                ("struct { float2 a; } p = {1, 2};", &["bare float2 1 2"]),
                (
                    "union P { float2 a; float b[2]; }; P p = {1, 2};",
                    &["bare float2 1 2"],
                ),
                ("std::array<float2, 2> v = {1, 2};", &["named float2 1 2"]),
                (
                    "struct P { float2 a; P(float, float); }; P p = {1, 2};",
                    &[],
                ),
                ("struct P : Q { float2 a; }; P p = {1, 2};", &[]),
                ("struct P { float2 *a; float b; }; P p = {0, 2};", &[]),
                (
                    "template <class V, int N> struct B { int n; V v; }; B<float2, 1> b = {1, {2}};",
                    &["float2 2"],
                ),
                ("struct P { float a, b; }; P p = {1, 2};", &[]),
                ("enum { A, B }; int t[2] = {1, 2};", &[]),
            ],
        );
    }
}
