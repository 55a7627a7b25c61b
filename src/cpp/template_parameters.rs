//! Parameters of templates that are types.

use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::cpp::arithmetic::Number;
use crate::cpp::declarations::{Declared, end_of_template};
use crate::syntax::{Document, TokenIndex};
use crate::text::keywords::is_class_key;

/// The parameters of `template <class T = A<int>, int N = 8>` with what they are by themselves, and the closing bracket.
pub(crate) fn head_of_template(
    doc: &Document<'_>,
    template: TokenIndex,
) -> Option<(Vec<Range<TokenIndex>>, TokenIndex)> {
    // Longer lists than this nobody writes.
    const LONGEST: usize = 200;
    let open = doc.next(template).filter(|&open| doc.is(open, "<"))?;
    let (mut at, mut start, mut depth) = (open, open + 1, 0usize);
    let mut found = Vec::new();
    while at < (open + LONGEST).min(doc.tokens.len()) {
        match doc.bytes(at) {
            b"<" => depth += 1,
            b">" => depth -= 1,
            b"(" | b"[" => at = doc.matching_bracket(at)?,
            b"," if depth == 1 => {
                found.push(start..at);
                start = at + 1;
            }
            b";" | b"{" | b"}" => return None,
            _ => {}
        }
        if depth == 0 {
            found.push(start..at);
            return Some((found, at));
        }
        at += 1;
    }
    None
}

/// Whether a declaration's type is a parameter of a template above it.
pub(crate) fn is_template_parameter<'s>(doc: &Document<'s>, found: &Declared<'s>) -> bool {
    let mut words = found.words.iter();
    words.any(|word| is_parameter_around(doc, word, found.name))
}

/// Whether a word is a parameter, a type or a pack of types, of a template around a place, be it of a class or of a function.
pub(crate) fn is_parameter_around<'s>(doc: &Document<'s>, word: &'s [u8], at: TokenIndex) -> bool {
    let declares = |at: TokenIndex| {
        let is_pack = at > 3 && (at - 3..at).all(|dot| doc.is(dot, "."));
        let first = if is_pack { at - 3 } else { at };
        (doc.is_before(first, "typename") || doc.is_before(first, "class"))
            && doc
                .next(at)
                .is_some_and(|next| matches!(doc.bytes(next), b"," | b">" | b"="))
    };
    let parameters = doc.noted("template parameters", word, declares);
    let before = parameters.partition_point(|&it| it < at);
    let last = before.checked_sub(1).map(|last| parameters[last]);
    last.is_some_and(|last| at < end_of_template(doc, last))
}

/// The class templates of a file that have a number among their parameters: `template <class T, int N> struct S`.
pub(crate) fn classes_of_numbers(doc: &Document<'_>) -> FxHashSet<Box<[u8]>> {
    let class = |template: TokenIndex| {
        let (parameters, close) = head_of_template(doc, template)?;
        let key = doc.next(close)?;
        let name = doc
            .next(key)
            .filter(|&at| is_class_key(doc.bytes(key)) && doc.is_ident(at))?;
        let takes = parameters.iter().any(|it| is_number(doc, it));
        takes.then(|| doc.bytes(name).into())
    };
    doc.all("template").filter_map(class).collect()
}

/// Whether a parameter of a template is a number: `int N = 4`, `unsigned long`, `auto N`, `std::size_t N`.
fn is_number(doc: &Document<'_>, parameter: &Range<TokenIndex>) -> bool {
    let value = parameter.clone().find(|&at| doc.is(at, "="));
    let end = value.unwrap_or(parameter.end);
    let words = parameter.start..end;
    let words: Vec<&[u8]> = words
        .filter(|&at| doc.is_ident(at) && !doc.is(at, "std"))
        .map(|at| doc.bytes(at))
        .collect();
    let is_type = |words: &[&[u8]]| *words == [b"auto"] || Number::of_words(words).is_some();
    // The last word may be its name.
    is_type(&words)
        || words
            .split_last()
            .is_some_and(|(_, type_of)| is_type(type_of))
}

/// Whether the function around a token is a template with a type parameter of this name.
pub(crate) fn is_type_parameter(doc: &Document<'_>, index: TokenIndex, name: &[u8]) -> bool {
    let declares = |at: TokenIndex| doc.is_before(at, "typename") || doc.is_before(at, "class");
    doc.scopes()
        .enclosing(index)
        .is_some_and(|function| doc.occurrences(name, function.head.clone()).any(declares))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpp::declarations::declared;
    use crate::cpp::probe::at_last_x;

    #[test]
    fn a_parameter_of_a_template_is_known_within_it() {
        for (text, expected) in [
            ("template <typename T> void f(T x) { x; }", true),
            (
                "template <class T, int N> struct S { void f() { T x; x = 1; } };",
                true,
            ),
            (
                "template <typename T = int> void f() { T a; const T x = a; x; }",
                true,
            ),
            ("template <typename T> void f(T); T x;", false),
            ("template <int T> void f(T x) { x; }", false),
            ("struct T; void f(T x) { x; }", false),
        ] {
            let is_parameter = at_last_x(text, |doc, at| {
                declared(doc, at).is_some_and(|found| is_template_parameter(doc, &found))
            });
            assert_eq!(is_parameter, expected, "{text}");
        }
    }

    #[test]
    fn a_class_template_may_take_a_number() {
        for (text, expected) in [
            ("template <class T, int N = 4> struct S { };", true),
            ("template <unsigned long long> class S;", true),
            (
                "template <class T, std::size_t N = sizeof(T)> class S { };",
                true,
            ),
            ("template <auto N> struct S;", true),
            ("template <class T, class U = int> struct S;", false),
            ("template <template <int> class T> struct S;", false),
            ("template <int N> void S();", false),
            ("template <Like T> struct S;", false),
        ] {
            let source = crate::text::SourceFile::new("a.cu", text.as_bytes().to_vec());
            let found = classes_of_numbers(&Document::new(&source));
            assert_eq!(found.contains(&b"S"[..]), expected, "{text}");
        }
    }

    #[test]
    fn a_function_has_its_own_type_parameters() {
        for (text, expected) in [
            ("template <typename T> void f(T a) { x; }", true),
            ("template <class T> void f() { x; }", true),
            ("template <int T> void f() { x; }", false),
            ("template <typename T> void g(); void f() { x; }", false),
            ("x", false),
        ] {
            let is_parameter = at_last_x(text, |doc, at| is_type_parameter(doc, at, b"T"));
            assert_eq!(is_parameter, expected, "{text}");
        }
    }
}
