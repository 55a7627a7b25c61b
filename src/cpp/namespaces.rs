//! Namespaces: those around a token, and those of the project's own that are called like a library of CUDA.

use rustc_hash::FxHashSet;

use crate::cpp::definitions::{class_name, declares};
use crate::mapping::LISTED;
use crate::syntax::{Document, TokenIndex, TokenKind};

/// Names of namespaces that a project may give to one inside its own.
const OF_LIBRARIES: &[&str] = &["cub", "cuda", "thrust"];

/// Of libraries that nobody extends: whoever opens the namespace has a copy of the library.
const COPIED: &[&str] = &["nvtx3", "cudf"];

/// The braces of namespaces that the file does not close: they go on to its end.
struct Unclosed(Vec<TokenIndex>);

impl Unclosed {
    fn new(doc: &Document<'_>) -> Self {
        let names = doc.all("namespace").filter_map(|word| doc.next(word));
        let braces = names.filter_map(|name| doc.next(name).filter(|&it| doc.is(it, "{")));
        Self(
            braces
                .filter(|&it| doc.matching_bracket(it).is_none())
                .collect(),
        )
    }
}

/// The names of the namespaces around a token, innermost first.
pub(crate) fn around<'d>(doc: &Document<'d>, at: TokenIndex) -> Vec<&'d [u8]> {
    let unclosed = &doc.fact(Unclosed::new).0;
    let unclosed = unclosed.iter().rev().filter(|&&brace| brace < at);
    doc.braces_around(at)
        .chain(unclosed.copied())
        .flat_map(|brace| names_of(doc, brace))
        .collect()
}

/// The names of the namespaces and classes around a token, innermost first, with those that qualify the functions around it:
/// `void A::f() { x }`.
pub(crate) fn scopes_around<'d>(doc: &'d Document<'_>, at: TokenIndex) -> Vec<&'d [u8]> {
    let of_brace = |brace| {
        let mut names = names_of(doc, brace);
        names.extend(class_name(doc, brace));
        names
    };
    let mut names: Vec<&[u8]> = doc.braces_around(at).flat_map(of_brace).collect();
    for function in doc.scopes().around(at) {
        let mut name = function.name;
        while let Some(colons) = name
            .and_then(|name| doc.prev(name))
            .filter(|&it| doc.is(it, "::"))
        {
            name = doc.prev(colons).filter(|&outer| doc.is_ident(outer));
            names.extend(name.map(|outer| doc.bytes(outer)));
        }
    }
    names
}

/// Whether a plain name is one of a class around it: `struct A { void max(T); void f() { max(x); } }`. C++ then looks no further, neither in
/// the namespaces around nor in those of the arguments.
pub(crate) fn is_of_class_around(doc: &Document<'_>, at: TokenIndex) -> bool {
    let name = std::str::from_utf8(doc.bytes(at)).unwrap_or_default();
    let has_it = |brace| {
        let Some(end) = doc.matching_bracket(brace) else {
            return false;
        };
        let mut places = doc.all(name).filter(|it| (brace..end).contains(it));
        places.any(|it| doc.braces_around(it).next() == Some(brace) && declares(doc, it))
    };
    doc.braces_around(at)
        .any(|brace| class_name(doc, brace).is_some() && has_it(brace))
}

/// The names of `namespace a::b {` by its brace, innermost first; none for other braces.
fn names_of<'d>(doc: &Document<'d>, brace: TokenIndex) -> Vec<&'d [u8]> {
    let mut names = Vec::new();
    let mut at = brace;
    while let Some(prev) = doc.prev(at) {
        match doc.bytes(prev) {
            b"namespace" => return names,
            b"::" | b"inline" => {}
            name if doc.is_ident(prev) => names.push(name),
            _ => break,
        }
        at = prev;
    }
    Vec::new()
}

/// A namespace called like a library inside another one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Inner {
    /// The name of the one around it; empty for that of a copied library.
    pub(crate) outer: Box<[u8]>,
    /// Its own name.
    pub(crate) name: Box<[u8]>,
    /// It is another name of the library, or of something else.
    pub(crate) is_alias: bool,
}

/// Words that a file puts into a namespace of a library, as `thrust::mine`: what stands between the braces of `namespace thrust`.
pub(crate) struct Extended(pub(crate) FxHashSet<Box<[u8]>>);

impl Extended {
    pub(crate) fn new(doc: &Document<'_>) -> Self {
        let mut found = FxHashSet::default();
        for name in doc.all_of(LISTED) {
            let open = doc.next(name).filter(|&open| doc.is(open, "{"));
            let open = open.filter(|_| doc.is_before(name, "namespace"));
            let close = open.and_then(|open| doc.matching_bracket(open));
            let (Some(open), Some(close)) = (open, close) else {
                continue;
            };
            let words = (open..close).filter(|&at| doc.is_ident(at));
            found.extend(words.map(|at| [doc.bytes(name), b"::", doc.bytes(at)].concat().into()));
        }
        Self(found)
    }
}

/// The names of the namespaces that are opened right behind a brace's, in its block.
fn opened_in<'d>(doc: &'d Document<'_>, brace: TokenIndex) -> impl Iterator<Item = &'d [u8]> {
    let close = doc.matching_bracket(brace).unwrap_or(brace);
    let words = doc.occurrences(b"namespace", brace..close);
    let names = words.filter_map(|word| doc.next(word).filter(|&name| doc.is_ident(name)));
    let is_opened = move |name: &TokenIndex| {
        doc.next_is(*name, "{") && doc.braces_around(*name).next() == Some(brace)
    };
    names.filter(is_opened).map(|name| doc.bytes(name))
}

/// The namespaces and aliases called like a library that a file has inside another namespace, and those inside one called so.
pub(crate) fn inner(doc: &Document<'_>) -> Vec<Inner> {
    let pair = |outer: &[u8], name: &[u8], is_alias| Inner {
        outer: outer.into(),
        name: name.into(),
        is_alias,
    };
    let mut found = Vec::new();
    let opened = |name: &TokenIndex| doc.is_before(*name, "namespace") && doc.next_is(*name, "{");
    let copied = doc.all_of(COPIED).into_iter().filter(opened);
    found.extend(copied.map(|name| pair(b"", doc.bytes(name), false)));
    for name in doc.all_of(OF_LIBRARIES) {
        if doc.is_before(name, "namespace") && doc.next_is(name, "=") {
            let outer = around(doc, name).into_iter();
            found.extend(outer.map(|outer| pair(outer, doc.bytes(name), true)));
        }
        let brace = doc.next(name).filter(|&brace| doc.is(brace, "{"));
        let Some(brace) = brace else { continue };
        if let [own, rest @ ..] = &names_of(doc, brace)[..] {
            let outer = around(doc, brace);
            let all = rest.iter().chain(&outer);
            found.extend(all.map(|outer| pair(outer, own, false)));
        }
        found.extend(opened_in(doc, brace).map(|inside| pair(doc.bytes(name), inside, false)));
    }
    found
}

/// Whether no braces are open but those of namespaces and `extern "C"`.
pub(crate) fn is_in_file(doc: &Document<'_>, word: TokenIndex) -> bool {
    doc.braces_around(word).all(|brace| {
        let mut at = brace;
        while let Some(before) = doc
            .prev(at)
            .filter(|&at| doc.is_ident(at) || doc.is(at, "::"))
        {
            if doc.is(before, "namespace") {
                return true;
            }
            at = before;
        }
        let language = doc.prev(at).filter(|_| at == brace);
        language
            .is_some_and(|at| doc.tokens[at].kind == TokenKind::Str && doc.prev_is(at, "extern"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpp::probe::at_first_x;
    use crate::text::SourceFile;

    fn joined(names: &[&[u8]]) -> String {
        String::from_utf8(names.join(&b' ')).expect("it is text")
    }

    #[test]
    fn namespaces_around_a_name_are_told_innermost_first() {
        for (text, expected) in [
            ("x;", ""),
            ("namespace a { x; }", "a"),
            ("namespace a { namespace b { x; } }", "b a"),
            ("namespace a::b { struct S { x; }; }", "b a"),
            ("namespace { x; }", ""),
            ("inline namespace a { x; }", "a"),
            ("void f() { x; }", ""),
            ("namespace a { namespace b { x; }", "b a"),
            ("namespace a { struct S { x; }", "a"),
        ] {
            assert_eq!(
                at_first_x(text, |doc, at| joined(&around(doc, at))),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn classes_are_scopes_as_namespaces_are() {
        for (text, expected) in [
            ("namespace a { struct B : C<int> { x; }; }", "B a"),
            ("struct A { void f() { x; } };", "A"),
            ("void a::B::f() { x; }", "B a"),
            ("enum class A { x };", ""),
            ("struct { int x; } a;", ""),
            ("void f() { x; }", ""),
        ] {
            let found = at_first_x(text, |doc, at| joined(&scopes_around(doc, at)));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn what_a_file_puts_into_a_library_is_its_own() {
        for (text, expected) in [
            ("namespace thrust { struct mine {}; }", true),
            ("namespace thrust { namespace a { int mine(); } }", true),
            ("namespace thrust { } struct mine {};", false),
            ("namespace other { struct mine {}; }", false),
        ] {
            let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
            let found = Extended::new(&Document::new(&source)).0;
            assert_eq!(found.contains(&b"thrust::mine"[..]), expected, "{text}");
        }
    }

    #[test]
    fn a_library_s_name_inside_a_namespace_is_the_projects() {
        for (text, expected) in [
            ("namespace a { namespace cub { } }", "a cub"),
            ("namespace a::b::thrust { }", "b thrust a thrust"),
            ("namespace a { namespace cub = ::cub; }", "a cub"),
            (
                "namespace a { namespace thrust { namespace system { } } }",
                "a thrust thrust system",
            ),
            (
                "namespace thrust { void f() { } namespace a { namespace b { } } }",
                "thrust a",
            ),
            ("namespace thrust { } namespace a { }", ""),
            ("namespace cub { }", ""),
            ("namespace nvtx3 { }", " nvtx3"),
            ("using namespace nvtx3;", ""),
            ("namespace cudf { }", " cudf"),
            ("namespace cub = a;", ""),
            ("namespace a { using namespace cub; cub::X x; }", ""),
        ] {
            let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
            let found = inner(&Document::new(&source));
            let words = found.iter().flat_map(|it| [&*it.outer, &*it.name]);
            let words: Vec<&[u8]> = words.collect();
            assert_eq!(joined(&words), expected, "{text}");
            let aliases = found.iter().filter(|it| it.is_alias).count();
            assert_eq!(aliases, usize::from(text.contains("= ::")), "{text}");
        }
    }
}
