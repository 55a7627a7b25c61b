//! Variables that are called like a type of CUDA: `cudaDeviceProp cudaDeviceProp;`. The type gets another name, what a person called their
//! variable stays.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::cpp::calls::{enclosing_call, enclosing_parenthesis, is_in_parentheses};
use crate::cpp::definitions::{declares, opens_a_class, typedef_of};
use crate::syntax::{Document, TokenIndex, flags};
use crate::text::keywords::{
    introduces_name, is_cv, is_keyword, is_restrict, is_type_key, may_name_type, takes_condition,
};
use crate::text::{RangeSet, TextRange};

/// Whether a word that names a type elsewhere names a variable there, as far as the file shows.
pub(crate) fn names_variable(doc: &Document<'_>, at: TokenIndex) -> bool {
    if is_behind_key(doc, at) {
        return false;
    }
    if declares_variable(doc, at) {
        return true;
    }
    let named = doc.fact(|_| Variables::default()).named(doc, doc.bytes(at));
    named.scopes.contains(doc.tokens[at].start) || named.is_seen_outside && is_like_value(doc, at)
}

/// Whether the identifier is a variable of a class or of no function, so that other files may use it by that name.
pub(crate) fn declares_outside(doc: &Document<'_>, at: TokenIndex) -> bool {
    declares_variable(doc, at) && scope(doc, at).is_none()
}

/// Whether the identifier is the type in front of a variable, parameter or alias of the same name: `cudaExtent cudaExtent`.
pub(crate) fn is_called_like_itself(doc: &Document<'_>, at: TokenIndex) -> bool {
    doc.prev(at)
        .is_some_and(|prev| doc.bytes(prev) == doc.bytes(at))
}

/// Whether the identifier is the name of a variable or parameter that is declared there: `T *x;`, `f(T x)`.
pub(crate) fn declares_variable(doc: &Document<'_>, at: TokenIndex) -> bool {
    let Some(next) = doc.next(at).map(|next| doc.bytes(next)) else {
        return false;
    };
    let ends = matches!(next, b"," | b")" | b";" | b"=" | b"[" | b"{" | b":");
    if !ends || next == b";" && typedef_of(doc, at).is_some() {
        return false;
    }
    let is_sign = |at: TokenIndex| matches!(doc.bytes(at), b"*" | b"&" | b"&&");
    let is_between = |at: &TokenIndex| is_sign(*at) || is_cv_like(doc.bytes(*at));
    let words = || std::iter::successors(doc.prev(at), |&at| doc.prev(at));
    let Some(first) = words().find(|at| !is_between(at)) else {
        return false;
    };
    let word = doc.bytes(first);
    if word == doc.bytes(at) {
        return true;
    }
    if doc.tokens[at].has(flags::DIRECTIVE) {
        return false;
    }
    let is_pointer = words().take_while(is_between).any(is_sign);
    match word {
        b">" => true,
        b"," => (is_pointer || matches!(next, b";" | b"=")) && !is_in_parentheses(doc, at),
        _ => doc.is_ident(first) && may_name_type(word),
    }
}

fn is_cv_like(word: &[u8]) -> bool {
    is_cv(word) || is_restrict(word)
}

/// Whether `struct` or the like stands in front: then the type is meant, whatever else has the name.
fn is_behind_key(doc: &Document<'_>, at: TokenIndex) -> bool {
    let key = doc.prev(at).map(|key| doc.bytes(key));
    key.is_some_and(|key| is_type_key(key) || key == b"typename")
}

/// Where words of a file name variables, worked out once for each that somebody asks for.
#[derive(Default)]
struct Variables {
    known: RefCell<FxHashMap<Box<[u8]>, Rc<Named>>>,
}

/// Where one word does.
struct Named {
    /// From the declarations within functions to the ends of their scopes.
    scopes: RangeSet,
    /// A class, or no function, has a variable of the name.
    is_seen_outside: bool,
}

impl Variables {
    fn named(&self, doc: &Document<'_>, word: &[u8]) -> Rc<Named> {
        if let Some(named) = self.known.borrow().get(word) {
            return Rc::clone(named);
        }
        let all = doc.occurrences(word, 0..doc.tokens.len());
        let declared = all.filter(|&at| !is_behind_key(doc, at) && declares_variable(doc, at));
        let scopes: Vec<Option<TextRange>> = declared.map(|at| scope(doc, at)).collect();
        let named = Rc::new(Named {
            is_seen_outside: scopes.iter().any(Option::is_none),
            scopes: scopes.into_iter().flatten().collect(),
        });
        self.known
            .borrow_mut()
            .insert(word.into(), Rc::clone(&named));
        named
    }
}

/// Where a variable that is declared within a function is known; `None` of what a class, a namespace or the file declares.
fn scope(doc: &Document<'_>, at: TokenIndex) -> Option<TextRange> {
    let function = doc.scopes().enclosing(at);
    if let Some(function) = function.filter(|it| at < it.body.start) {
        return Some(doc.range(at, function.body.end - 1));
    }
    let in_directive = doc.tokens[at].has(flags::DIRECTIVE);
    let open = enclosing_parenthesis(doc, at);
    let takes = |open| {
        let key = doc.prev(open).map(|key| doc.bytes(key));
        key.is_some_and(takes_condition)
    };
    if open.is_some_and(|open| !takes(open)) {
        return Some(doc.range(at, at));
    }
    let brace = doc.braces_around(at).next();
    let brace = brace.filter(|&it| doc.tokens[it].has(flags::DIRECTIVE) == in_directive);
    match brace.and_then(|open| Some((open, doc.matching_bracket(open)?))) {
        Some((open, _)) if opens_a_class(doc, open) => None,
        Some((_, close)) if in_directive || function.is_some() => Some(doc.range(at, close)),
        _ if in_directive => Some(doc.range(at, at)),
        _ => None,
    }
}

/// Whether a word stands where a value does and a type does not. Asked of words that are known to name a variable somewhere.
pub(crate) fn is_like_value(doc: &Document<'_>, at: TokenIndex) -> bool {
    let (Some(prev), Some(next)) = (doc.prev(at), doc.next(at)) else {
        return false;
    };
    let before = doc.bytes(prev);
    if introduces_name(before) || matches!(before, b"<" | b"new") {
        return false;
    }
    match doc.bytes(next) {
        b"." | b"->" | b"==" | b"!=" | b"]" | b"?" | b"=" => true,
        b"," | b")" | b";" | b"}" | b"[" => is_operand(doc, at, prev),
        b"(" | b"{" => is_initialised(doc, at, prev),
        _ => false,
    }
}

/// Whether a word is the member that a constructor initialises: `S::S(int a) : b(a), x{0} {`.
fn is_initialised(doc: &Document<'_>, at: TokenIndex, prev: TokenIndex) -> bool {
    let is_listed = matches!(doc.bytes(prev), b":" | b",");
    let ends = |at: TokenIndex| matches!(doc.bytes(at), b")" | b"}");
    let function = doc.scopes().enclosing(at);
    let is_in_head = function.is_none_or(|it| at < it.body.start);
    is_listed && is_in_head && doc.prev(prev).is_some_and(ends) && !is_in_parentheses(doc, at)
}

/// Whether what stands in front of a word makes an operand of it.
fn is_operand(doc: &Document<'_>, at: TokenIndex, prev: TokenIndex) -> bool {
    let is_called = |name: TokenIndex| {
        let word = doc.bytes(name);
        takes_condition(word) || doc.is_ident(name) && !is_keyword(word) && !declares(doc, name)
    };
    match doc.bytes(prev) {
        b"(" => doc.prev(prev).is_some_and(is_called),
        b"," => enclosing_call(doc, at).is_some_and(is_called),
        b"=" => !doc
            .prev(prev)
            .is_some_and(|name| doc.prev_is(name, "using")),
        b"return" | b"*" | b"&" | b"&&" | b"||" | b"!" | b"==" | b"!=" | b"?" | b":" | b"["
        | b"{" | b";" | b"}" => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    /// For each `X` of a text, `v` where it names a variable and `t` where it names the type.
    fn kinds(text: &str) -> String {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let doc = Document::new(&source);
        let kind = |at| if names_variable(&doc, at) { 'v' } else { 't' };
        doc.all("X").map(kind).collect()
    }

    #[test]
    fn variables_are_told_from_the_types_that_they_are_called_after() {
        for (text, expected) in [
            ("void f(X *X) { use(X); } X *y;", "tvvt"),
            ("void f(X *X, int); void g(X *p) { (X *)p; }", "tvtt"),
            (
                "void f() { X X; g(&X, sizeof(X)); struct X y; } X z;",
                "tvvvtt",
            ),
            (
                "void f() { struct X X = g(); X.a = 1; } int n = sizeof(X);",
                "tvvt",
            ),
            ("void f() { { X X{1}; } X y; }", "tvt"),
            ("void f() { for (X X : all) g(X); } X y;", "tvvt"),
            ("void f() { T a, *X; g(X); }", "vv"),
            (
                "struct S { struct X *X; S() : X(0) {} void f(X *p) { X = p; g(1, X); } };",
                "tvvtvv",
            ),
            (
                "struct S { X *X; }; S::S(int a) : b(a), X{0} {} void S::f() { g(X); X y; }",
                "tvvvt",
            ),
            (
                "struct S { X *a; void f(X); }; X *f(const X &, X);",
                "ttttt",
            ),
            (
                "typedef struct X X; using Y = X; vector<X> v; auto p = new X[3];",
                "ttttt",
            ),
            ("auto e = X{1, 2}; X x(1); static_cast<X *>(p);", "ttt"),
            (
                "#define PAIR X, Y\n#define F(x) { X X = x; g(X); }\n",
                "ttvv",
            ),
            ("class A : public X { friend X; friend class X; };", "ttt"),
            ("auto l = [](X *X) { return X; }; X y;", "tvvt"),
            ("void f(X a, X b) { if (X *X = g(a)) h(X); }", "tttvv"),
        ] {
            assert_eq!(kinds(text), expected, "{text}");
        }
    }
}
