//! Names of CUDA's form that a project coins itself: whatever it defines, declares or assigns is not CUDA's.

use rustc_hash::FxHashSet;

use crate::cpp::declarations::declaration;
use crate::cpp::definitions::{declares, defines, defines_behind_attributes};
use crate::cpp::status_check::checks_status;
use crate::mapping::{is_intrinsic_by_form, library_by_form};
use crate::syntax::{Directive, Document, TokenIndex};
use crate::text::keywords::introduces_name;

/// Whether a word is of the form of CUDA's names, or of its device functions.
pub(crate) fn is_by_form(word: &[u8]) -> bool {
    library_by_form(word).is_some() || is_intrinsic_by_form(word)
}

/// Whether the identifier at `at` is defined, declared or changed there. What is assigned, indexed or asked for a member is a variable,
/// and CUDA's interfaces have none of these names.
pub(crate) fn gives_own_meaning(document: &Document<'_>, at: TokenIndex) -> bool {
    const CHANGES: &[&str] = &["=", "[", ".", "->", "+=", "-=", "++", "--", "::"];
    let introduced = || {
        let before = document.prev(at);
        before.is_some_and(|before| introduces_name(document.bytes(before)))
    };
    let changed = || {
        CHANGES
            .iter()
            .any(|operator| document.next_is(at, operator))
    };
    // A part of a name that the preprocessor puts together is no name.
    if document.next_is(at, "##") || document.is_before(at, "##") {
        return false;
    }
    is_macro(document, at)
        || introduced()
        || changed()
        || declares(document, at) && !is_operand(document, at)
        || defines(document, at)
        || defines_behind_attributes(document, at)
        || declaration(document, at).is_some()
        || is_function_pointer(document, at)
        || is_enumerator(document, at)
        || is_label(document, at)
        || checks_status(document, at)
}

/// The words of CUDA's form in a file without CUDA: all of them are its own.
pub(crate) fn words_by_form(bytes: &[u8]) -> FxHashSet<Box<[u8]>> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let starts = memchr::memchr3_iter(b'c', b'C', b'_', bytes);
    let starts = starts.filter(|&at| at == 0 || !is_part(&bytes[at - 1]));
    let words = starts.map(|at| {
        let length = bytes[at..].iter().take_while(|byte| is_part(byte)).count();
        &bytes[at..at + length]
    });
    words
        .filter(|word| is_by_form(word))
        .map(Into::into)
        .collect()
}

/// The name or a parameter of a `#define`.
fn is_macro(document: &Document<'_>, at: TokenIndex) -> bool {
    let directive = document.directive_of(at).map(|it| &document.directives[it]);
    directive
        .and_then(Directive::defined_macro)
        .is_some_and(|name| {
            let open = name + 1;
            let close = document
                .matching_bracket(open)
                .filter(|_| document.is(open, "("));
            at == name || close.is_some_and(|close| open < at && at < close)
        })
}

/// Whether `type name(` is an operand: in `x = a * cuNew(b)` nothing is declared.
fn is_operand(document: &Document<'_>, at: TokenIndex) -> bool {
    let mut index = at;
    while let Some(prev) = document.prev(index) {
        match document.bytes(prev) {
            b"=" | b"return" | b"(" | b"+" | b"-" | b"/" | b"," => return true,
            b"*" | b"&" | b"::" | b">" | b"<" => {}
            _ if document.is_ident(prev) => {}
            _ => return false,
        }
        index = prev;
    }
    false
}

/// `T (*name)(int)`, or with a macro for the convention of calls `T (API *name)(int)`.
fn is_function_pointer(document: &Document<'_>, at: TokenIndex) -> bool {
    let close = document.next(at).filter(|&next| document.is(next, ")"));
    let star = document.prev(at).filter(|&prev| document.is(prev, "*"));
    let (Some(close), Some(star)) = (close, star) else {
        return false;
    };
    let is_behind_convention = || {
        let macro_name = document.prev(star).filter(|&prev| document.is_ident(prev));
        macro_name.is_some_and(|it| document.prev_is(it, "(")) && document.next_is(close, "(")
    };
    document.prev_is(star, "(") || is_behind_convention()
}

/// `name:`, which a `goto` leads to, or `goto name;`.
fn is_label(document: &Document<'_>, at: TokenIndex) -> bool {
    let begins = |prev| matches!(document.bytes(prev), b";" | b"{" | b"}");
    document.prev_is(at, "goto")
        || document.next_is(at, ":") && document.prev(at).is_some_and(begins)
}

/// A word of `enum X { … }`.
fn is_enumerator(document: &Document<'_>, at: TokenIndex) -> bool {
    let alone = [",", "}"].iter().any(|next| document.next_is(at, next));
    if !alone || document.all("enum").next().is_none() {
        return false;
    }
    let Some(brace) = document.braces_around(at).next() else {
        return false;
    };
    let words = std::iter::successors(document.prev(brace), |&at| document.prev(at));
    words
        .take(6)
        .take_while(|&at| document.is_ident(at) || document.is(at, ":"))
        .any(|at| document.is(at, "enum"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    fn coined(text: &str) -> bool {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let document = Document::new(&source);
        document
            .all("cudaNew")
            .any(|at| gives_own_meaning(&document, at))
    }

    #[test]
    fn what_a_project_says_of_a_name_makes_it_its_own() {
        for text in [
            "#define cudaNew 1\n",
            "#define F(cudaNew) cudaNew\n",
            "int cudaNew(int);",
            "Buffer *cudaNew(int n) { return 0; }",
            "struct cudaNew;",
            "enum class E { A, cudaNew, B };",
            "float a, *cudaNew;",
            "void f(int cudaNew) {}",
            "void (*cudaNew)(int);",
            "typedef int(API * cudaNew)(void *);",
            "void f() { cudaNew = 1; }",
            "using cudaNew = int;",
            "void f() { goto cudaNew; }",
            "void f() { g(); cudaNew: return; }",
        ] {
            assert!(coined(text), "{text}");
        }
        for text in [
            "void f() { cudaNew(1); }",
            "int f() { return cudaNew(1); }",
            "void f() { x = a * cudaNew(b); }",
            "void f() { g(cudaNew, 1); }",
            "void f() { cudaNew t; }",
            "int f(int x) { switch (x) { case cudaNew: return x ? cudaNew : 1; } }",
            "#ifdef cudaNew\n#endif\n",
        ] {
            assert!(!coined(text), "{text}");
        }
    }

    #[test]
    fn a_file_without_cuda_owns_its_words() {
        let words = words_by_form(b"int cuBall(int xcuBall); acudaX __vnew");
        assert!(words.contains(&b"cuBall"[..]) && words.contains(&b"__vnew"[..]));
        assert_eq!(words.len(), 2);
    }
}
