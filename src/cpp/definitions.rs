//! Whether a token defines or declares a name, as far as the tokens around it show.

use crate::mapping::ApiTable;
use crate::syntax::{Document, TokenIndex, flags};
use crate::text::TextRange;
use crate::text::keywords::{is_behind_parameters, is_class_key, is_type_key, may_name_type};

/// Whether the identifier at `at` is being defined: a function with a body, a type, an alias, or a variable.
pub(crate) fn defines(document: &Document<'_>, at: TokenIndex) -> bool {
    let (Some(prev), Some(next)) = (document.prev(at), document.next(at)) else {
        return false;
    };
    let before = document.bytes(prev);
    match document.bytes(next) {
        b"(" => {
            follows_a_type(document, prev)
                && opens_a_body(document, next)
                && !is_in_class(document, at)
        }
        b"{" | b":" | b";" if is_type_key(before) => document.bytes(next) != b";",
        b"=" if before == b"using" => opaque_tag(document, at).is_none(),
        b"=" | b";" | b"," | b")" | b"[" | b"{" => {
            is_type_name(document, prev) && !is_coordinate(document, at)
                || ends_a_typedef(document, at, next)
                || is_void_pointer(document, at)
        }
        _ => false,
    }
}

/// Whether the identifier is a type that is defined behind attributes or macros with arguments: `struct __align__(16) x {`,
/// `class [[nodiscard]] alignas(8) x : y {`.
pub(crate) fn defines_behind_attributes(document: &Document<'_>, at: TokenIndex) -> bool {
    let is_defined = document.next_is(at, "{") || document.next_is(at, ":");
    let last = document.prev(at).filter(|_| is_defined);
    last.is_some_and(|last| ends_attributes(document, last))
}

/// Whether such attributes end at a token, with a key of a type in front of them.
fn ends_attributes(document: &Document<'_>, last: TokenIndex) -> bool {
    let mut at = last;
    loop {
        let open = match document.bytes(at) {
            b")" | b"]" => document.matching_bracket(at),
            _ => None,
        };
        let Some(before) = open.and_then(|open| document.prev(open)) else {
            return false;
        };
        let is_macro = document.is(at, ")") && document.is_ident(before);
        let outer = if is_macro {
            document.prev(before)
        } else {
            Some(before)
        };
        match outer {
            Some(outer) if is_type_key(document.bytes(outer)) => return true,
            Some(outer) => at = outer,
            None => return false,
        }
    }
}

/// Whether the identifier is declared with a type's name or a `*` or `&` behind it, with a body or without. A macro may paste the rest
/// of the name: `Status nppiStFill_##type(int n)`.
pub(crate) fn declares(document: &Document<'_>, at: TokenIndex) -> bool {
    let is_named = document.next_is(at, "(") || document.next_is(at, "##");
    let follows = |prev| follows_a_type(document, prev);
    is_named && document.prev(at).is_some_and(follows)
}

/// `typedef void *name;`: no header of CUDA has a handle that is one, so a file that says so stands in for them.
fn is_void_pointer(document: &Document<'_>, at: TokenIndex) -> bool {
    at >= 3
        && document.is(at - 1, "*")
        && document.is(at - 2, "void")
        && document.is(at - 3, "typedef")
}

fn follows_a_type(document: &Document<'_>, prev: TokenIndex) -> bool {
    is_type_name(document, prev)
        || (matches!(document.bytes(prev), b"*" | b"&" | b">")
            && document
                .prev(prev)
                .is_some_and(|at| is_type_name(document, at)))
}

/// Whether `extern const uint3 threadIdx;` declares what the runtime has.
fn is_coordinate(document: &Document<'_>, at: TokenIndex) -> bool {
    let words = std::iter::successors(document.prev(at), |&at| document.prev(at));
    let of_coordinate =
        |at: &TokenIndex| matches!(document.bytes(*at), b"uint3" | b"dim3" | b"const");
    let mut words = words.skip_while(of_coordinate);
    words.next().is_some_and(|at| document.is(at, "extern"))
}

fn is_type_name(document: &Document<'_>, at: TokenIndex) -> bool {
    let word = document.bytes(at);
    document.is_ident(at)
        && may_name_type(word)
        && !matches!(word, b"in" | b"warpSize")
        && !document.prev_is(at, "struct")
}

/// Whether the name is declared in a class: then it is a member, and no other function is meant.
fn is_in_class(document: &Document<'_>, at: TokenIndex) -> bool {
    brace_around(document, at).is_some_and(|brace| opens_a_class(document, brace))
}

/// The innermost brace that is open at a declaration, within its directive or outside of all.
fn brace_around(document: &Document<'_>, at: TokenIndex) -> Option<TokenIndex> {
    let in_directive = |at: TokenIndex| document.tokens[at].has(flags::DIRECTIVE);
    document
        .braces_around(at)
        .next()
        .filter(|&brace| in_directive(brace) == in_directive(at))
}

/// Whether the `{` belongs to `namespace x {` or `namespace x::y {`, a namespace with a name.
fn opens_a_namespace(document: &Document<'_>, brace: TokenIndex) -> bool {
    let mut index = brace;
    while let Some(prev) = document.prev(index) {
        if document.is(prev, "namespace") {
            return index < brace;
        }
        if !document.is_ident(prev) && !document.is(prev, "::") {
            return false;
        }
        index = prev;
    }
    false
}

/// Whether the `{` belongs to `class X {`, `struct X : Y<Z> {`.
pub(super) fn opens_a_class(document: &Document<'_>, brace: TokenIndex) -> bool {
    key_of_class(document, brace).is_some()
}

/// The `class` or `struct` of the head in front of a brace.
fn key_of_class(document: &Document<'_>, brace: TokenIndex) -> Option<TokenIndex> {
    // A head with more words than this is of no class that anybody writes.
    const LONGEST: usize = 60;
    let mut at = brace;
    for _ in 0..LONGEST {
        let prev = document.prev(at)?;
        at = match document.bytes(prev) {
            word if is_class_key(word) => return Some(prev),
            // `struct ALIGNED(16) X {`, and no function that gives back a `struct X`.
            b")" if at != brace => {
                let word = document.prev(document.matching_bracket(prev)?)?;
                let before = document.prev(word)?;
                let is_attribute = is_class_key(document.bytes(before)) || document.is(before, ")");
                is_attribute.then_some(word)?
            }
            b";" | b"{" | b"}" | b")" | b"=" => return None,
            _ => prev,
        };
    }
    None
}

/// Whether the identifier declares a member of a class, `static void cudaFree(void *);` or `void *cuInit;` within its braces, or a
/// function of a namespace with a name.
pub(super) fn declares_member(document: &Document<'_>, at: TokenIndex) -> bool {
    let declares = document.next_is(at, "(")
        && document
            .prev(at)
            .is_some_and(|prev| follows_a_type(document, prev));
    let is_data = declares_pointer(document, at) || declares_data(document, at);
    let brace = brace_around(document, at).filter(|_| declares || is_data);
    brace.is_some_and(|brace| {
        opens_a_class(document, brace) || declares && opens_a_namespace(document, brace)
    })
}

/// Whether the identifier is the variable of `PFN_cuInit cuInit;`, `Create *cuCreate{nullptr};`, `T x = y;`.
fn declares_data(document: &Document<'_>, at: TokenIndex) -> bool {
    let ends = document
        .next(at)
        .is_some_and(|next| matches!(document.bytes(next), b";" | b"=" | b"{"));
    // `std::function<int(int)> x;`
    let follows = |prev| document.is(prev, ">") || follows_a_type(document, prev);
    ends && document.prev(at).is_some_and(follows)
}

/// Whether the identifier is a variable of a class, within its braces.
pub(crate) fn is_data_member(document: &Document<'_>, at: TokenIndex) -> bool {
    (declares_pointer(document, at) || declares_data(document, at)) && is_in_class(document, at)
}

/// The name of `class X {`, `struct X : Y<Z> {` by its brace; `None` of other braces, of an `enum` and of a class without one.
pub(crate) fn class_name<'d>(document: &'d Document<'_>, brace: TokenIndex) -> Option<&'d [u8]> {
    let key = key_of_class(document, brace)?;
    let is_of_enum = document.is(key, "enum") || document.prev_is(key, "enum");
    let name = behind_attributes(document, key).filter(|_| !is_of_enum)?;
    Some(document.bytes(name))
}

/// The name of a class behind its key and attributes or macros with arguments: `X` of `struct ALIGNED(16) X`.
fn behind_attributes(document: &Document<'_>, key: TokenIndex) -> Option<TokenIndex> {
    let mut name = document.next(key)?;
    while let Some(open) = document.next(name).filter(|&at| document.is(at, "(")) {
        name = document.next(document.matching_bracket(open)?)?;
    }
    document.is_ident(name).then_some(name)
}

/// Whether a macro makes a member of this name for a class: `MEMBER(cusparseCreate);` within its braces.
pub(crate) fn makes_member(document: &Document<'_>, at: TokenIndex) -> bool {
    let callee = at.checked_sub(2).filter(|&callee| {
        document.is(at - 1, "(") && document.next_is(at, ")") && document.is_ident(callee)
    });
    let starts = |callee: TokenIndex| {
        document
            .prev(callee)
            .is_some_and(|prev| matches!(document.bytes(prev), b";" | b"{" | b"}" | b":" | b")"))
    };
    let brace = callee
        .filter(|&callee| starts(callee))
        .and_then(|callee| brace_around(document, callee));
    brace.is_some_and(|brace| opens_a_class(document, brace))
}

/// Whether the identifier is the variable or member of `void *name;` or `int (*name)(int);`.
pub(crate) fn declares_pointer(document: &Document<'_>, at: TokenIndex) -> bool {
    let (Some(star), Some(next)) = (document.prev(at), document.next(at)) else {
        return false;
    };
    let mut before = document.prev(star).filter(|_| document.is(star, "*"));
    if document.is(next, ")") && document.next_is(next, "(") {
        // `CUDAAPI` may stand there.
        let is_convention =
            |at: &TokenIndex| document.is_ident(*at) && document.is_before(*at, "(");
        let open = before.map(|at| if is_convention(&at) { at - 1 } else { at });
        before = open
            .filter(|&open| document.is(open, "("))
            .and_then(|open| document.prev(open));
    } else if !matches!(document.bytes(next), b";" | b"=" | b"," | b"[") {
        return false;
    }
    let ty = before.filter(|&at| is_type_name(document, at) || document.is(at, "*"));
    // A product or a call through a pointer follows no type at the start of a statement.
    ty.is_some_and(|ty| {
        let mut words = std::iter::successors(Some(ty), |&at| document.prev(at));
        let first = words.find(|&at| !document.is_ident(at) && !document.is(at, "*"));
        first.is_none_or(|at| matches!(document.bytes(at), b";" | b"{" | b"}"))
    })
}

fn opens_a_body(document: &Document<'_>, paren: TokenIndex) -> bool {
    let after = document
        .matching_bracket(paren)
        .and_then(|close| document.next(close));
    let body = |at: TokenIndex| document.is(at, "{");
    after.is_some_and(|at| {
        body(at)
            || (is_behind_parameters(document.bytes(at)) && document.next(at).is_some_and(body))
    })
}

fn ends_a_typedef(document: &Document<'_>, at: TokenIndex, next: TokenIndex) -> bool {
    document.is(next, ";")
        && typedef_of(document, at).is_some()
        && document
            .prev(at)
            .is_some_and(|prev| document.is_ident(prev) || document.is(prev, "}"))
}

/// The `typedef` of the declaration whose name stands at `at`.
pub(super) fn typedef_of(document: &Document<'_>, at: TokenIndex) -> Option<TokenIndex> {
    // Of what stands in braces only their ends count.
    const LONGEST: usize = 40;
    let mut start = at;
    for _ in 0..LONGEST {
        let prev = document.prev(start)?;
        start = match document.bytes(prev) {
            b"typedef" => return Some(prev),
            b";" | b"{" => return None,
            b"}" => document
                .matching_bracket(prev)
                .filter(|&open| open < prev)?,
            _ => prev,
        };
    }
    None
}

/// The structure that the name at `at` points to by `typedef struct Tag *name;`, whatever it holds, or by `using name = Tag *;`, where the
/// tag is of CUDA's form: code that wants no header of CUDA declares its handles so.
pub(crate) fn opaque_tag(document: &Document<'_>, at: TokenIndex) -> Option<TokenIndex> {
    if document.next_is(at, ";") && document.is_before(at, "*") {
        let typedef = typedef_of(document, at)?;
        return (typedef + 4 == at).then(|| at - 2);
    }
    if !document.is_before(at, "using") || !document.is(at + 1, "=") {
        return None;
    }
    let tag = at + 2 + usize::from(document.is(at + 2, "struct"));
    let is_pointer = document.is(tag + 1, "*") && document.is(tag + 2, ";");
    let word = document.bytes(tag);
    let is_of_cuda =
        word.starts_with(b"CU") || word.ends_with(b"_st") || word.ends_with(b"Context");
    (is_pointer && is_of_cuda).then_some(tag)
}

/// Whether the name at `at` is an enumerator in the braces of its `enum`.
pub(crate) fn enumerates(document: &Document<'_>, at: TokenIndex) -> bool {
    let stands_alone = document
        .prev(at)
        .is_some_and(|prev| matches!(document.bytes(prev), b"{" | b","))
        && document
            .next(at)
            .is_some_and(|next| matches!(document.bytes(next), b"=" | b"," | b"}"));
    let brace = brace_around(document, at).filter(|_| stands_alone);
    brace.is_some_and(|brace| opens_an_enum(document, brace))
}

/// Whether the `{` belongs to `enum {`, `enum class X : int {`.
fn opens_an_enum(document: &Document<'_>, brace: TokenIndex) -> bool {
    let mut words = std::iter::successors(document.prev(brace), |&at| document.prev(at));
    let mut words = words
        .by_ref()
        .take_while(|&at| document.is_ident(at) || matches!(document.bytes(at), b":" | b"::"));
    words.any(|at| document.is(at, "enum"))
}

/// Whether a branch defines a function that HIP has under the same name: a compare-and-swap `atomicAdd(double *)`.
pub(crate) fn redefines(doc: &Document<'_>, table: &ApiTable, body: TextRange) -> bool {
    tokens_of(doc, body).any(|at| {
        let opens = doc.next(at).filter(|&paren| doc.is(paren, "("));
        let defines = opens
            .and_then(|paren| doc.matching_bracket(paren))
            .and_then(|close| doc.next(close))
            .is_some_and(|brace| doc.is(brace, "{"));
        defines
            && table
                .get(doc.bytes(at))
                .is_some_and(|hit| hit.entry.hip == Some(hit.entry.cuda))
    })
}

/// The identifiers of a branch.
pub(crate) fn tokens_of<'d>(
    doc: &'d Document<'_>,
    body: TextRange,
) -> impl Iterator<Item = TokenIndex> + 'd {
    (doc.token_at(body.start)..doc.token_at(body.end)).filter(|&at| doc.is_ident(at))
}

/// The names of the enumerations that a file defines: `enum class Colour : char {`.
pub(crate) fn enumerations<'d>(document: &'d Document<'_>) -> impl Iterator<Item = &'d [u8]> {
    document.all("enum").filter_map(|key| {
        let behind = document.next(key)?;
        let name = match document.bytes(behind) {
            b"class" | b"struct" => document.next(behind)?,
            _ => behind,
        };
        let has_body = document.next_is(name, "{") || document.next_is(name, ":");
        (document.is_ident(name) && has_body).then(|| document.bytes(name))
    })
}

/// Whether a macro declares what is called so, with its parameters behind it: `DECLARE(cuInit, (int flags))`, `DECLARE(int, cuInit, (…))`.
pub(crate) fn is_listed(document: &Document<'_>, at: TokenIndex) -> bool {
    let parameters = document.next(at).and_then(|comma| document.next(comma));
    let closes = |open: TokenIndex| document.next(document.matching_bracket(open)?);
    let has_parameters = document.next_is(at, ",")
        && parameters.is_some_and(|open| {
            document.is(open, "(") && closes(open).is_some_and(|end| document.is(end, ")"))
        });
    // What the function returns may stand in front: a type of a few words.
    const LONGEST_TYPE: usize = 8;
    let is_bracket = |at: &TokenIndex| matches!(document.bytes(*at), b"(" | b")" | b";");
    let open = (at.saturating_sub(LONGEST_TYPE)..at).rev().find(is_bracket);
    let is_called = |open: TokenIndex| {
        let name = document.prev(open).filter(|&name| document.is_ident(name));
        document.is(open, "(")
            && name.is_some_and(|name| document.tokens[name].has(flags::LINE_START))
    };
    has_parameters && open.is_some_and(is_called)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpp::probe::at_first_x;
    use crate::text::SourceFile;

    #[test]
    fn definitions_are_told_from_declarations_and_calls() {
        for (text, is_defined, is_declared) in [
            ("int x(int a) { return a; }", true, true),
            ("T *x() const { }", true, true),
            ("int x(int a);", false, true),
            ("std::vector<int> x(int a);", false, true),
            ("return x(1);", false, false),
            ("y = x(1);", false, false),
            ("x(1);", false, false),
            ("new x(1);", false, false),
            ("struct x { int a; };", true, false),
            ("struct x;", false, false),
            ("enum x : int { A };", true, false),
            ("using x = int;", true, false),
            ("using x = void *;", true, false),
            ("using x = CUstream_st *;", false, false),
            ("using x = struct cublasContext *;", false, false),
            ("using x = MyStream *;", true, false),
            ("typedef unsigned int x;", true, false),
            ("float x = 1;", true, false),
            ("float x[4];", true, false),
            ("x = 1;", false, false),
            ("extern const uint3 x;", false, false),
            ("struct S { int x(int a) { return a; } };", false, true),
            ("typedef struct { int a; } x;", true, false),
            ("typedef enum tag { A = 1, B } x;", true, false),
            ("void f() { } typedef int x;", true, false),
            ("typedef struct tag *x;", false, false),
            ("struct { int a; } y; typedef int z; g(x);", false, false),
        ] {
            assert_eq!(at_first_x(text, defines), is_defined, "{text}");
            assert_eq!(at_first_x(text, declares), is_declared, "{text}");
        }
    }

    #[test]
    fn a_type_may_be_defined_behind_attributes() {
        for (text, expected) in [
            ("struct __align__(16) x { int a; };", true),
            ("class [[nodiscard]] alignas(8) x : y { };", true),
            ("struct __align__(16) x;", false),
            ("struct x { int a; };", false),
            ("if (a) x { 1 };", false),
        ] {
            let found = at_first_x(text, defines_behind_attributes);
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_class_is_named_behind_its_attributes() {
        for (text, expected) in [
            ("struct ALIGNED(16) x { int a; };", Some("x")),
            ("class __align__(8) alignas(16) x : y { };", Some("x")),
            ("struct x f(int a) { }", None),
            ("struct x final { };", Some("x")),
            ("if (a) { }", None),
        ] {
            let source = SourceFile::new("a.cu", text.into());
            let doc = Document::new(&source);
            let brace = (0..doc.tokens.len()).find(|&at| doc.is(at, "{"));
            let brace = brace.expect("each text has one");
            let name = class_name(&doc, brace).map(String::from_utf8_lossy);
            assert_eq!(name.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn members_are_those_of_classes_and_named_namespaces() {
        for (text, expected) in [
            ("class S { static void x(void *); };", true),
            ("struct S : T<int> { void x(); };", true),
            ("namespace n { void x(); }", true),
            ("namespace n::m { void x(); }", true),
            ("namespace { void x(); }", false),
            ("extern \"C\" { void x(); }", false),
            ("void x();", false),
            ("class S { void f() { x(); } };", false),
            ("struct S { void *x; };", true),
            ("struct S { int (*x)(int); };", true),
            ("struct S { const char *a, *x; };", false),
            ("struct S { T x; };", true),
            ("struct S { T *x{nullptr}; };", true),
            ("struct S { std::function<int(int)> x = y; };", true),
            ("struct S { struct x; };", false),
            ("struct S { friend class x; };", false),
            ("struct S { void f() { T x; } };", false),
            ("struct S { using x = int; };", false),
            ("struct S { void f(int, x *, int); };", false),
            ("struct S { void f() { a * x; } };", false),
            ("void *x;", false),
        ] {
            assert_eq!(at_first_x(text, declares_member), expected, "{text}");
        }
    }

    #[test]
    fn macros_make_members_in_classes() {
        for (text, expected) in [
            ("class S { MEMBER(x); };", true),
            ("class S { public: MEMBER(y); MEMBER(x) };", true),
            ("class S { void f() { check(x); } };", false),
            ("class S { int y = f(x); };", false),
            ("void f() { check(x); }", false),
            ("MEMBER(x);", false),
        ] {
            assert_eq!(at_first_x(text, makes_member), expected, "{text}");
        }
    }

    #[test]
    fn variables_that_point_are_told_from_products_and_calls() {
        for (text, expected) in [
            ("T (*x)(int) = 0;", true),
            ("extern const T *x;", true),
            ("T **x = y;", true),
            ("(*x)(1);", false),
            ("y = (*x)(1);", false),
            ("return (*x)(1);", false),
            ("y = a * x;", false),
            ("f(a * x, 1);", false),
            ("T x;", false),
        ] {
            assert_eq!(at_first_x(text, declares_pointer), expected, "{text}");
        }
    }

    #[test]
    fn enumerators_stand_in_the_braces_of_their_enum() {
        for (text, expected) in [
            ("enum { x };", true),
            ("enum { A, x = 2, B };", true),
            ("enum class E : int { A, x };", true),
            ("typedef enum tag { x = 0 } t;", true),
            ("enum E { A = x };", false),
            ("int y[] = { x, 2 };", false),
            ("enum E e = { x };", false),
            ("f(1, x);", false),
        ] {
            assert_eq!(at_first_x(text, enumerates), expected, "{text}");
        }
    }

    #[test]
    fn pointers_to_structures_of_somebody_else_are_opaque() {
        for (text, expected) in [
            ("typedef struct tag *x;", true),
            ("typedef struct { int a; } *x;", false),
            ("typedef int *x;", false),
            ("struct tag *x;", false),
        ] {
            let found = at_first_x(text, |doc, at| opaque_tag(doc, at).is_some());
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn what_hip_has_is_redefined() {
        let table = ApiTable::builtin();
        for (text, expected) in [
            ("double atomicAdd(double *a, double b) { return 0; }", true),
            ("double atomicAdd(double *a, double b);", false),
            ("double mine(double *a, double b) { return 0; }", false),
        ] {
            let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
            let all = TextRange::new(0, text.len() as u32);
            let found = redefines(&Document::new(&source), &table, all);
            assert_eq!(found, expected, "{text}");
        }
    }
}
