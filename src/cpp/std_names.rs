//! Variables and types of a program that are called like something of `std`, where all of `std` is let in.

use rustc_hash::FxHashSet;
use std::sync::LazyLock;

use crate::mapping::name_lists;
use crate::syntax::{Document, TokenIndex, flags};
use crate::text::keywords::{declares_no_object, is_no_part_of_type, is_type_key};

/// Tokens in front of a name that its declaration is looked for in: longer ones are no plain variables.
const DECLARATION: usize = 60;

/// Whether a name is one that every file of HIP has in `std`, and that of CUDA has not.
pub(crate) fn is_std_name(name: &[u8]) -> bool {
    static NAMES: LazyLock<FxHashSet<&[u8]>> = LazyLock::new(|| {
        let names = name_lists().std_names.iter();
        names.map(|it| it.as_bytes()).collect()
    });
    NAMES.contains(name)
}

/// Whether a file lets in all of `std` at its outermost level: `using namespace std;`.
pub(crate) fn opens_std(doc: &Document<'_>) -> bool {
    doc.all("namespace").any(|at| {
        doc.prev_is(at, "using")
            && doc.is(at + 1, "std")
            && doc.next_is(at + 1, ";")
            && is_outermost(doc, at)
    })
}

/// The same of a file that is read as text.
pub(crate) fn may_open_std(text: &[u8]) -> bool {
    memchr::memmem::find(text, b"using namespace std").is_some()
}

/// Whether a text may declare a type of such a name: `typedef float real;`.
pub(crate) fn may_declare_std_name(text: &[u8]) -> bool {
    memchr::memmem::find_iter(text, "typedef").any(|at| {
        let rest = &text[at..];
        let Some(end) = memchr::memchr(b';', rest) else {
            return false;
        };
        let declared = rest[..end].trim_ascii_end();
        let start = declared
            .iter()
            .rposition(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
        start.is_some_and(|start| is_std_name(&declared[start + 1..]))
    })
}

/// Whether a name is declared at a token as a variable or type of the global namespace.
pub(crate) fn declares_global(doc: &Document<'_>, at: TokenIndex) -> bool {
    if doc.tokens[at].has(flags::DIRECTIVE) || !is_outermost(doc, at) {
        return false;
    }
    let (Some(prev), Some(next)) = (doc.prev(at), doc.next(at)) else {
        return false;
    };
    if is_type_key(doc.bytes(prev)) {
        return matches!(doc.bytes(next), b"{" | b":" | b";");
    }
    if doc.is(prev, "using") {
        return doc.is(next, "=");
    }
    let follows_type = doc.is_ident(prev) && !is_no_part_of_type(doc.bytes(prev))
        || matches!(doc.bytes(prev), b"*" | b"&" | b">" | b"," | b"}");
    follows_type
        && matches!(doc.bytes(next), b";" | b"=" | b"[" | b"," | b"{")
        && begins_declaration(doc, at)
}

/// Whether what stands between the end of the statement before and a name is the beginning of a declaration: no list of parameters or of
/// template arguments is open.
fn begins_declaration(doc: &Document<'_>, name: TokenIndex) -> bool {
    let (mut closed, mut angles, mut at) = (0_usize, 0_usize, name);
    for _ in 0..DECLARATION {
        let Some(before) = doc.prev(at) else {
            return true;
        };
        match doc.bytes(before) {
            b";" => return true,
            // The body of `typedef struct { … } ratio;` belongs to the declaration.
            b"}" if before + 1 == name => match doc.matching_bracket(before) {
                Some(open) => {
                    at = open;
                    continue;
                }
                None => return false,
            },
            b"}" | b"{" => return true,
            b")" => closed += 1,
            b"(" if closed == 0 => return false,
            b"(" => closed -= 1,
            b">" => angles += 1,
            b"<" if angles == 0 => return false,
            b"<" => angles -= 1,
            word if declares_no_object(word) => return false,
            _ => {}
        }
        at = before;
    }
    false
}

/// Whether a token stands in no braces but those of `extern "C"`.
fn is_outermost(doc: &Document<'_>, at: TokenIndex) -> bool {
    let mut braces = doc.braces_around(at);
    braces.all(|brace| {
        doc.prev(brace)
            .is_some_and(|it| doc.is_before(it, "extern"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn globals_are_declared_outside_of_all_braces_and_lists() {
        for (text, expected) in [
            ("int count;", true),
            ("__device__ int count = 3, other;", true),
            ("int other, count;", true),
            ("static float *count[4];", true),
            ("typedef float count;", true),
            ("typedef struct { int n; } count;", true),
            ("using count = float;", true),
            ("struct count { int n; };", true),
            ("extern \"C\" { int count; }", true),
            ("std::vector<int> count;", true),
            ("void f(int count);", false),
            ("void f(int n, int count, int m);", false),
            ("int count(int n);", false),
            ("namespace a { int count; }", false),
            ("struct A { int count; };", false),
            ("void f() { int count = 0; }", false),
            ("template <class A, class count> void f();", false),
            ("using std::count;", false),
        ] {
            let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
            let doc = Document::new(&source);
            let found = doc.all("count").any(|at| declares_global(&doc, at));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn types_of_plain_headers_are_looked_for_in_the_text() {
        assert!(may_declare_std_name(b"#ifdef D\ntypedef double real;\n"));
        assert!(!may_declare_std_name(b"typedef double reals;\nreal x;\n"));
        assert!(!may_declare_std_name(b"typedef double"));
    }
}
