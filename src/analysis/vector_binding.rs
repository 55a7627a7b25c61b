//! Structured bindings to the elements of one of CUDA's vectors: `auto [x, y] = v;`.

use std::ops::Range;

use crate::cpp::arithmetic::element;
use crate::cpp::declarations::{declared, of_value};
use crate::edit::Edit;
use crate::syntax::{Document, TokenIndex, split_arguments};
use crate::text::TextRange;

/// A binding that HIP's vectors do not take: their elements are members of a union without a name.
pub(crate) struct Binding {
    /// From `[` to the end of the value.
    pub range: TextRange,
    /// One name for each element, where reading the value several times is the same as reading it once.
    pub edit: Option<Edit>,
}

/// The structured bindings of a file to vectors whose type is in sight.
pub(crate) fn vector_bindings(doc: &Document<'_>) -> Vec<Binding> {
    doc.all("auto")
        .filter_map(|auto| binding(doc, auto))
        .collect()
}

fn binding(doc: &Document<'_>, auto: TokenIndex) -> Option<Binding> {
    let mut open = doc.next(auto)?;
    while matches!(doc.bytes(open), b"&" | b"&&" | b"const") {
        open = doc.next(open)?;
    }
    let close = doc.matching_bracket(open).filter(|_| doc.is(open, "["))?;
    let sign = doc.next(close)?;
    let start = doc.next(sign)?;
    let end = (start..doc.tokens.len()).find(|&at| matches!(doc.bytes(at), b";" | b"{"))?;
    if doc.is(sign, ":") {
        let is_vector = holds_vectors(doc, start);
        let range = doc.range(open, start);
        return (is_vector && doc.next_is(start, ")")).then_some(Binding { range, edit: None });
    }
    if !doc.is(sign, "=") || !is_vector(doc, start..end) {
        return None;
    }
    let is_plain = (start..end).all(|at| doc.is_ident(at) || matches!(doc.bytes(at), b"[" | b"]"));
    let range = doc.range(open, end - 1);
    let edit = is_plain
        .then(|| one_by_one(doc, auto, open, start..end))
        .flatten();
    Some(Binding { range, edit })
}

/// Whether a name is declared as `std::vector<float2>` or the like.
fn holds_vectors(doc: &Document<'_>, name: TokenIndex) -> bool {
    let mut at = declared(doc, name).and_then(|found| doc.prev(found.name));
    while let Some(sign) = at.filter(|&at| matches!(doc.bytes(at), b"&" | b"const" | b">")) {
        at = doc.prev(sign);
    }
    at.is_some_and(|at| element(doc.bytes(at)).is_some() && doc.next_is(at, ">"))
}

/// Whether a value is a vector: a variable or an element that is declared so, or `make_float2(…)`.
fn is_vector(doc: &Document<'_>, value: Range<TokenIndex>) -> bool {
    let made = doc.bytes(value.start).strip_prefix(b"make_");
    let found = || of_value(doc, value.clone());
    let made = made.unwrap_or(doc.bytes(value.start));
    let is_call = value.len() > 1 && matches!(doc.bytes(value.start + 1), b"(" | b"{");
    // `dim3` is a structure of three members in HIP as well.
    let is_of_vector = |word: &[u8]| word != b"dim3" && element(word).is_some();
    is_call && is_of_vector(made)
        || found().is_some_and(|found| found.words.iter().any(|word| is_of_vector(word)))
}

/// `x = v.x, y = v.y` in place of `[x, y] = v`.
fn one_by_one(
    doc: &Document<'_>,
    auto: TokenIndex,
    open: TokenIndex,
    value: Range<TokenIndex>,
) -> Option<Edit> {
    let names = split_arguments(doc, open + 1..doc.matching_bracket(open)?);
    if names.len() > 4 || names.iter().any(|name| name.len() != 1) {
        return None;
    }
    let text = doc.source.text(doc.range(value.start, value.end - 1));
    // `&` belongs to each name, `const` to the type.
    let mut sign = open;
    while matches!(doc.bytes(doc.prev(sign)?), b"&" | b"&&") {
        sign = doc.prev(sign)?;
    }
    let sign = doc.source.text(TextRange::new(
        doc.tokens[sign].start,
        doc.tokens[open].start,
    ));
    let sign = sign.trim();
    let each = names.iter().zip("xyzw".chars()).map(|(name, letter)| {
        let name = doc.source.text(doc.range(name.start, name.end - 1));
        format!("{sign}{name} = {text}.{letter}")
    });
    let first = doc.range(open, value.end - 1).start - sign.len() as u32;
    let blank = doc.next_is(auto, "[") && doc.tokens[auto].end() == doc.tokens[open].start;
    let text = each.collect::<Vec<_>>().join(", ");
    let text = if blank { format!(" {text}") } else { text };
    let range = TextRange::new(first, doc.tokens[value.end - 1].end());
    Some(Edit::replace(range, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn bindings_to_vectors_are_found_and_parted() {
        for (text, expected) in [
            (
                "void f(float2 v) { auto [a, b] = v; }",
                Some(Some("a = v.x, b = v.y")),
            ),
            (
                "void f(float2 v) { auto[a, b] = v; }",
                Some(Some(" a = v.x, b = v.y")),
            ),
            (
                "void f(int3 *p, int i) { const auto &[a, b, c] = p[i]; }",
                Some(Some("&a = p[i].x, &b = p[i].y, &c = p[i].z")),
            ),
            ("void f() { auto [a, b] = make_int2(g(), 1); }", Some(None)),
            ("void f(float2 *p) { auto [a, b] = p[g()]; }", Some(None)),
            (
                "void f(std::vector<int2> &v) { for (auto &[a, b] : v) {} }",
                Some(None),
            ),
            (
                "void f(std::map<int, int> &v) { for (auto &[a, b] : v) {} }",
                None,
            ),
            ("void f(Mine v) { auto [a, b] = v; }", None),
            ("void f(float2 v) { auto a = v; }", None),
            ("void f() { auto [a, b, c] = dim3(1, 2, 3); }", None),
            ("void f(dim3 v) { auto [a, b, c] = v; }", None),
        ] {
            let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
            let found = vector_bindings(&Document::new(&source)).into_iter().next();
            let found = found.map(|it| it.edit.map(|edit| edit.content.to_string()));
            let found = found.as_ref().map(|edit| edit.as_deref());
            assert_eq!(found, expected, "{text}");
        }
    }
}
