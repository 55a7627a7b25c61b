//! Lists in braces for a structure of this file whose vectors stand without braces of their own: `P p = {1, 2, 3};` for a `float2` and
//! a `float`. CUDA's vectors are plain structures, of which C++ lets the braces go; HIP's are classes.

use std::ops::Range;

use crate::analysis::vector_list::vector_width;
use crate::cpp::arithmetic::value;
use crate::cpp::declarations::initializer_list;
use crate::syntax::{Document, TokenIndex, split_arguments};

/// A list of values that make a vector of a structure.
pub(crate) struct ElidedList {
    /// The word that names the vector's type.
    pub(crate) ty: TokenIndex,
    /// Its values, in tokens.
    pub(crate) values: Vec<Range<TokenIndex>>,
}

/// What a member is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Member {
    Vector(TokenIndex, usize),
    Other,
}

/// The vectors without braces in the lists of a file, each with its type and values.
pub(crate) fn elided_lists(doc: &Document<'_>) -> Vec<ElidedList> {
    let mut found = Vec::new();
    for at in doc.all("struct") {
        let Some((name, members)) = structure(doc, at) else {
            continue;
        };
        let word = std::str::from_utf8(doc.bytes(name)).unwrap_or_default();
        for user in doc.all(word).filter(|&user| user > name) {
            for open in lists(doc, user) {
                let close = doc.matching_bracket(open).unwrap_or(open + 1);
                found.extend(of_list(doc, open + 1..close, &members));
            }
        }
    }
    found
}

/// The lists behind a type: that of a variable, those of an array.
fn lists(doc: &Document<'_>, ty: TokenIndex) -> Vec<TokenIndex> {
    if let Some(open) = initializer_list(doc, ty) {
        return vec![open];
    }
    let array = || {
        let bracket = doc.next(doc.next(ty)?).filter(|&at| doc.is(at, "["))?;
        let behind = doc.next(doc.matching_bracket(bracket)?)?;
        let open = if doc.is(behind, "=") {
            doc.next(behind)?
        } else {
            behind
        };
        let close = doc.matching_bracket(open).filter(|_| doc.is(open, "{"))?;
        let elements = split_arguments(doc, open + 1..close);
        let lists = elements.into_iter().map(|it| it.start);
        Some(lists.filter(|&at| doc.is(at, "{")).collect())
    };
    array().unwrap_or_default()
}

/// The name and the members of a plain structure with a vector in it; none with functions, bases or arrays.
fn structure(doc: &Document<'_>, at: TokenIndex) -> Option<(TokenIndex, Vec<Member>)> {
    let name = doc.next(at).filter(|&name| doc.is_ident(name))?;
    let open = doc.next(name).filter(|&open| doc.is(open, "{"))?;
    let close = doc.matching_bracket(open)?;
    let inside = open + 1..close;
    if inside
        .clone()
        .any(|at| matches!(doc.bytes(at), b"(" | b"[" | b"{" | b":" | b"static" | b"#"))
    {
        return None;
    }
    let mut members = Vec::new();
    let tokens: Vec<TokenIndex> = inside.collect();
    for declaration in tokens.split(|&at| doc.is(at, ";")) {
        let words = declaration.iter().filter(|&&at| !doc.is(at, "const"));
        let Some(&ty) = words.clone().next() else {
            continue;
        };
        let is_pointer = declaration.iter().any(|&at| doc.is(at, "*"));
        let member = match vector_width(doc, ty) {
            Some(width) if !is_pointer => Member::Vector(ty, width),
            _ => Member::Other,
        };
        let count = 1 + words.filter(|&&at| doc.is(at, ",")).count();
        members.extend(std::iter::repeat_n(member, count));
    }
    let has_vector = members.iter().any(|it| *it != Member::Other);
    has_vector.then_some((name, members))
}

/// The vectors of a list whose first value is a number: a value that may be a vector is one.
fn of_list(doc: &Document<'_>, inside: Range<TokenIndex>, members: &[Member]) -> Vec<ElidedList> {
    let values = split_arguments(doc, inside);
    let is_number = |it: &Range<TokenIndex>| !it.is_empty() && value(doc, it.clone()).is_some();
    let (mut found, mut rest) = (Vec::new(), &values[..]);
    for member in members {
        let Some(first) = rest.first() else { break };
        let taken = match *member {
            Member::Vector(ty, width) if is_number(first) => {
                let mine = &rest[..width.min(rest.len())];
                if !mine.iter().all(is_number) {
                    break;
                }
                found.push(ElidedList {
                    ty,
                    values: mine.to_vec(),
                });
                mine.len()
            }
            // What is named, or a structure of its own without braces, changes the count.
            _ if doc.is(first.start, ".") => break,
            _ => 1,
        };
        rest = &rest[taken..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    /// The values of each vector without braces, as text.
    fn found(text: &str) -> Vec<Vec<String>> {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let doc = Document::new(&source);
        let text =
            |it: &Range<TokenIndex>| source.text(doc.range(it.start, it.end - 1)).into_owned();
        let lists = elided_lists(&doc).into_iter();
        lists
            .map(|it| it.values.iter().map(text).collect())
            .collect()
    }

    #[test]
    fn numbers_fill_one_member_after_the_other() {
        const P: &str = "struct P { float2 a; const float b; int3 c; };";
        for (text, expected) in [
            ("P p = {1, 2, 3};", &[&["1", "2"][..]][..]),
            (
                "P p{1.f, 2.f, 3.f, 4, 5, 6};",
                &[&["1.f", "2.f"], &["4", "5", "6"]],
            ),
            ("P p = {1};", &[&["1"]]),
            ("P p[2] = {{1, 2}, {v, 3}};", &[&["1", "2"]]),
            ("P p = {{1, 2}, 3, 4, 5, 6};", &[&["4", "5", "6"]]),
            ("P p = {v, 3};", &[]),
            ("P p = {.a = v};", &[]),
            ("P p;", &[]),
            ("P *p = {0};", &[]),
        ] {
            assert_eq!(found(&format!("{P} {text}")), expected, "{text}");
        }
        for text in [
            "struct P { float2 a; P(float, float); }; P p = {1, 2};",
            "struct P { float2 *a; float b; }; P p = {0, 2};",
            "struct P { float2 a[2]; }; P p = {1, 2, 3, 4};",
            "struct P { float a, b; }; P p = {1, 2};",
        ] {
            assert!(found(text).is_empty(), "{text}");
        }
    }
}
