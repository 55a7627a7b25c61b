//! Declared types of names, as far as the tokens of one file show them.

use std::ops::Range;

use crate::syntax::{Document, TokenIndex, flags};
use crate::text::keywords::{
    is_behind_parameters, is_builtin_type, is_class_key, is_cv, is_no_part_of_type, is_restrict,
    takes_operand,
};

/// A type as a declaration of this file spells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared<'d> {
    /// Words of the declaration in front of the name: `const`, `__half2`.
    pub words: Vec<&'d [u8]>,
    /// How many `*` stand in front of the name and `[` behind it.
    pub pointers: usize,
    /// The declared name.
    pub name: TokenIndex,
}

impl Declared<'_> {
    /// Whether the type is one of these names.
    pub(crate) fn is_any(&self, names: &[&str]) -> bool {
        self.words
            .iter()
            .any(|word| names.iter().any(|name| name.as_bytes() == *word))
    }
}

/// The nearest declaration above `at` of the name at `at`: in its function with parameters, else in the file.
pub fn declared<'s>(doc: &Document<'s>, at: TokenIndex) -> Option<Declared<'s>> {
    let is_declaration = |index| declaration(doc, index).is_some();
    let declarations = doc.noted("declarations", doc.bytes(at), is_declaration);
    let above = declarations.partition_point(|&index| index < at);
    let index = *declarations.get(above.checked_sub(1)?)?;
    let found = declaration(doc, index)?;
    let here = doc
        .scopes()
        .enclosing(at)
        .map(|function| function.head.start);
    let there = doc
        .scopes()
        .enclosing(index)
        .map(|function| function.head.start);
    // A local of another function is not this name.
    (there.is_none() || there == here || is_around(doc, index, at)).then_some(found)
}

/// All declarations of the name in the file; `None` where it has none.
pub(crate) fn all_declared<'s>(doc: &Document<'s>, at: TokenIndex) -> Option<Vec<Declared<'s>>> {
    let is_declaration = |index| declaration(doc, index).is_some();
    let places = doc.noted("declarations", doc.bytes(at), is_declaration);
    let all: Vec<_> = places
        .iter()
        .filter_map(|&index| declaration(doc, index))
        .collect();
    (!all.is_empty()).then_some(all)
}

/// The declaration of a member below its use: the only one of the file, in a class around the use.
pub(crate) fn declared_below<'s>(doc: &Document<'s>, at: TokenIndex) -> Option<Declared<'s>> {
    let is_declaration = |index| declaration(doc, index).is_some();
    let declarations = doc.noted("declarations", doc.bytes(at), is_declaration);
    let index = declarations.first().copied()?;
    let in_class = doc
        .braces_around(index)
        .next()
        .is_some_and(|brace| brace < at);
    let is_member = at < index && in_class && doc.scopes().enclosing(index).is_none();
    (declarations.len() == 1 && is_member)
        .then(|| declaration(doc, index))
        .flatten()
}

/// The words of the type that an address argument points to: of the cast in front, or of the declaration of `p`, `&p[i]`, `&x`.
pub(crate) fn pointee<'s>(doc: &Document<'s>, tokens: Range<TokenIndex>) -> Option<Vec<&'s [u8]>> {
    let start = tokens.start;
    if doc.is(start, "(")
        && let Some(close) = doc
            .matching_bracket(start)
            .filter(|&close| doc.is(close - 1, "*") && close < tokens.end)
    {
        return Some((start + 1..close - 1).map(|at| doc.bytes(at)).collect());
    }
    if doc.is(start, "reinterpret_cast") || doc.is(start, "static_cast") {
        let inside = start + 2..doc.template_close(start + 1)?;
        return Some(inside.map(|at| doc.bytes(at)).collect());
    }
    let address = doc.is(start, "&");
    let name = start + usize::from(address);
    if !doc.is_ident(name) || name >= tokens.end {
        return None;
    }
    let rest = name + 1..tokens.end;
    let wanted = match (address, rest.is_empty()) {
        (true, true) => 0,
        (true, false)
            if doc.is(rest.start, "[")
                && doc.matching_bracket(rest.start) == Some(rest.end - 1) =>
        {
            1
        }
        (false, true) => 1,
        (false, false) if matches!(doc.bytes(rest.start), b"+" | b"-") => 1,
        _ => return None,
    };
    declared(doc, name)
        .filter(|found| found.pointers == wanted)
        .map(|found| found.words)
}

/// The declaration that gives a value its type: that of `x`, of the array or pointer in `x[i]`, of the pointer in `*x`.
pub(crate) fn of_value<'s>(
    doc: &Document<'s>,
    mut value: Range<TokenIndex>,
) -> Option<Declared<'s>> {
    let stars = usize::from(doc.is(value.start, "*"));
    value.start += stars;
    if !doc.is_ident(value.start) {
        return None;
    }
    let pointers = match value.len() {
        1 => stars,
        n if n >= 4 && doc.matching_bracket(value.start + 1) == Some(value.end - 1) => {
            usize::from(doc.is(value.start + 1, "["))
        }
        _ => return None,
    };
    declared(doc, value.start).filter(|found| found.pointers == pointers)
}

/// The `{` of `float4 v = {…}`, `float4 v{…}` or `float4{…}` behind a type; not of arrays, bodies of functions or structures.
pub(crate) fn initializer_list(doc: &Document<'_>, ty: TokenIndex) -> Option<TokenIndex> {
    let mut at = doc.next(ty)?;
    if doc.is_ident(at) {
        at = doc.next(at)?;
        if doc.is(at, "=") {
            at = doc.next(at)?;
        }
    }
    doc.is(at, "{").then_some(at)
}

fn is_around(doc: &Document<'_>, index: TokenIndex, at: TokenIndex) -> bool {
    doc.scopes()
        .enclosing(index)
        .is_some_and(|function| function.body.contains(&at))
}

/// The declaration whose declared name stands at `name`.
pub(crate) fn declaration<'s>(doc: &Document<'s>, name: TokenIndex) -> Option<Declared<'s>> {
    let next = doc.next(name)?;
    let word = doc.bytes(name);
    if is_builtin_type(word) || is_cv(word) {
        return None;
    }
    if !matches!(
        doc.bytes(next),
        b"=" | b";" | b"," | b")" | b"[" | b"{" | b":" | b"("
    ) {
        return None;
    }
    let mut pointers = usize::from(doc.is(next, "["));
    let (mut words, mut at) = (Vec::new(), doc.prev(name)?);
    while matches!(doc.bytes(at), b"*" | b"&")
        || is_restrict(doc.bytes(at))
        || doc.is(at, "const") && doc.is_before(at, "*")
    {
        pointers += usize::from(doc.is(at, "*"));
        at = doc.prev(at)?;
    }
    if doc.is(at, ",") {
        return earlier_declarator(doc, at, name, pointers);
    }
    loop {
        match doc.bytes(at) {
            b">" => at = angle_open(doc, at)?,
            b"::" => {}
            word if doc.is_ident(at) && !is_no_part_of_type(word) => words.push(word),
            word if is_inside_expression(word) => return None,
            _ => break,
        }
        match doc.prev(at) {
            Some(prev) => at = prev,
            None => break,
        }
    }
    if let [word] = words[..]
        && (doc.is_before(name, "*") || doc.is_before(name, "&"))
        && is_operand(doc, name, word)
    {
        return None;
    }
    if is_cast(doc, at) {
        return None;
    }
    words.reverse();
    (!words.is_empty() && !is_lone_call(doc, &words, next)).then_some(Declared {
        words,
        pointers,
        name,
    })
}

/// Tokens in front of a product that reads like a declaration: `p + a * b;`, `return a * b;`.
fn is_inside_expression(word: &[u8]) -> bool {
    matches!(
        word,
        b"+" | b"-"
            | b"*"
            | b"/"
            | b"%"
            | b"="
            | b"+="
            | b"-="
            | b"*="
            | b"/="
            | b"=="
            | b"!="
            | b"<"
            | b"&&"
            | b"||"
            | b"?"
            | b"["
            | b"."
            | b"->"
            | b"return"
    )
}

/// Whether `word * name` in parentheses is a product, `word & name` a mask: code has no parameters but those of lambdas and handlers.
fn is_operand(doc: &Document<'_>, name: TokenIndex, word: &[u8]) -> bool {
    let function = doc.scopes().enclosing(name);
    if is_in_list(doc, name) {
        return true;
    }
    let in_code = doc.tokens[name].has(flags::DIRECTIVE)
        || function.is_some_and(|function| function.body.contains(&name));
    let open = open_parenthesis(doc, name).filter(|_| in_code && !is_builtin_type(word));
    open.is_some_and(|open| {
        let takes_parameters = |at| match doc.bytes(at) {
            b"]" | b"for" | b"catch" => true,
            b"if" | b"while" => doc.next_is(name, "="),
            _ => false,
        };
        !doc.prev(open).is_some_and(takes_parameters)
    })
}

/// Whether the parentheses that close in front of a word turn its value into another type: `a = (size_t)n * x;`, `return (T)a & x;`. A
/// declaration may follow those of a macro, an attribute or a statement, which have a name in front.
fn is_cast(doc: &Document<'_>, close: TokenIndex) -> bool {
    let open = doc
        .matching_bracket(close)
        .filter(|&open| open < close && doc.is(close, ")"));
    let before = open.and_then(|open| doc.prev(open));
    before.is_some_and(|at| match doc.bytes(at) {
        b")" | b"]" | b";" | b"{" | b"}" => false,
        word if doc.is_ident(at) => takes_operand(word),
        _ => true,
    })
}

/// Whether a name stands among the values of a list in braces.
fn is_in_list(doc: &Document<'_>, name: TokenIndex) -> bool {
    let mut at = name;
    for _ in 0..60 {
        let Some(before) = doc.prev(at) else {
            return false;
        };
        at = match doc.bytes(before) {
            b"{" => return !opens_block(doc, before),
            b";" | b"}" | b"(" => return false,
            b")" | b"]" => doc.matching_bracket(before).unwrap_or(before),
            _ => before,
        };
    }
    false
}

/// The `(` around a name, if nothing but other arguments stands between them.
fn open_parenthesis(doc: &Document<'_>, name: TokenIndex) -> Option<TokenIndex> {
    let mut at = name;
    // Arguments of more than 60 tokens in front of a name are not worth following.
    for _ in 0..60 {
        at = doc.prev(at)?;
        match doc.bytes(at) {
            b"(" => return Some(at),
            b";" | b"{" | b"}" | b"=" => return None,
            b")" | b"]" => at = doc.matching_bracket(at)?,
            _ => {}
        }
    }
    None
}

/// `float a, b;`: the type of `b` stands in front of `a`.
fn earlier_declarator<'s>(
    doc: &Document<'s>,
    comma: TokenIndex,
    name: TokenIndex,
    pointers: usize,
) -> Option<Declared<'s>> {
    let mut at = doc.prev(comma)?;
    // `S(int a) : a_(a), b_(b) {}` initializes members; `int a = b(c) ? d : e, f;` declares names.
    let mut follows_parameters = false;
    // A declaration of more than 60 tokens in front of a name is not worth following.
    for _ in 0..60 {
        match doc.bytes(at) {
            b")" | b"]" | b"}" => at = doc.matching_bracket(at)?,
            b";" | b"{" | b"(" => break,
            b":" => follows_parameters = doc.is_before(at, ")"),
            b"?" | b"=" => follows_parameters = false,
            _ => {}
        }
        let before = doc.prev(at);
        if before.is_some_and(|at| doc.is(at, "{") && !opens_block(doc, at)) {
            return None;
        }
        if before.is_none_or(|at| matches!(doc.bytes(at), b";" | b"{" | b"}" | b"(")) {
            if follows_parameters {
                return None;
            }
            let first = first_declarator(doc, at..comma)?;
            let mut found = (first > at)
                .then(|| declaration(doc, first))
                .flatten()
                .filter(|_| !doc.is_before(at, "("))?;
            found.pointers = pointers;
            found.name = name;
            return Some(found);
        }
        at = before?;
    }
    None
}

/// The first name that something other than a name stands behind; `float,` among template arguments is none.
fn first_declarator(doc: &Document<'_>, tokens: Range<TokenIndex>) -> Option<TokenIndex> {
    let mut at = tokens.start;
    while tokens.contains(&at) {
        let next = doc.next(at)?;
        if doc.is_ident(at) && matches!(doc.bytes(next), b"," | b"=" | b"[" | b"(" | b"{") {
            return Some(at);
        }
        at = doc.template_close(at).unwrap_or(at) + 1;
    }
    None
}

/// Whether statements or members stand behind a `{`, not the values of a list.
fn opens_block(doc: &Document<'_>, brace: TokenIndex) -> bool {
    let Some(before) = doc.prev(brace) else {
        return true;
    };
    let opens = |at: TokenIndex| {
        let word = doc.bytes(at);
        is_class_key(word) || word == b"namespace"
    };
    match doc.bytes(before) {
        b"=" | b"]" | b"," | b"(" | b"return" => false,
        b"else" | b"do" | b"try" => true,
        b"{" => opens_block(doc, before),
        word if is_behind_parameters(word) || opens(before) => true,
        _ if doc.is_ident(before) => {
            (before.saturating_sub(7)..before).any(|at| opens(at) || doc.is(at, ")"))
        }
        _ => true,
    }
}

/// `f(x)` alone is a call; `float x(1)` has a type in front.
fn is_lone_call(doc: &Document<'_>, words: &[&[u8]], next: TokenIndex) -> bool {
    doc.is(next, "(") && words.is_empty()
}

/// Where the declaration ends that a template parameter, or the end of a list of them, belongs to: behind its body or at its `;`.
pub(crate) fn end_of_template(doc: &Document<'_>, parameter: TokenIndex) -> TokenIndex {
    let mut at = parameter;
    while let Some(next) = doc.next(at) {
        at = match doc.bytes(next) {
            b";" => return next,
            b"{" => return doc.matching_bracket(next).unwrap_or(doc.tokens.len()),
            b"(" | b"[" => doc
                .matching_bracket(next)
                .filter(|&close| close > next)
                .unwrap_or(next),
            _ => next,
        };
    }
    doc.tokens.len()
}

/// The `<` of the template arguments that close at a `>`; none where a `<` opens what closes behind it.
pub(crate) fn angle_open(doc: &Document<'_>, close: TokenIndex) -> Option<TokenIndex> {
    let (mut depth, mut at) = (0usize, close);
    for _ in 0..60 {
        match doc.bytes(at) {
            b">" => depth += 1,
            b"<" => depth = depth.checked_sub(1)?,
            b";" | b"{" | b"}" => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
        at = doc.prev(at)?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpp::probe::at_last_x;

    #[test]
    fn a_name_has_the_type_of_its_nearest_declaration() {
        for (text, expected) in [
            (
                "void f(const float *p) { int x = 1; g(x); }",
                Some(("int", 0)),
            ),
            ("void f(const float *x) { g(x); }", Some(("const float", 1))),
            (
                "__shared__ int x[4]; void f() { g(x); }",
                Some(("__shared__ int", 1)),
            ),
            ("float x; void f() { int x; g(x); }", Some(("int", 0))),
            ("void f() { int x; } void h() { g(x); }", None),
            ("void f() { g(x); }", None),
            ("void f(T *x) { g(x); }", Some(("T", 1))),
            ("void f(int a, T &x) { g(x); }", Some(("T", 0))),
            ("void f() { T *x; g(x); }", Some(("T", 1))),
            ("void f() { for (T *x : all) g(x); }", Some(("T", 1))),
            ("void f() { if (T *x = find()) g(x); }", Some(("T", 1))),
            (
                "void f() { auto l = [](int a, T *x) { g(x); }; }",
                Some(("T", 1)),
            ),
            (
                "void f() { try { } catch (E &x) { g(x); } }",
                Some(("E", 0)),
            ),
            (
                "void f() { int a = b(c) ? (d) : e, x; g(x); }",
                Some(("int", 0)),
            ),
            ("struct S { M S(int a) : a_(a), x(a) { g(x); } };", None),
            // Products and masks read alike.
            ("void f() { int t = b.a * x; g(x); }", None),
            ("void f() { t = p->a * x; g(x); }", None),
            ("void f() { g(n * x); h(x); }", None),
            ("void f() { g(1, n * x); h(x); }", None),
            ("void f() { if (n & x) g(x); }", None),
            ("void f() { a = (n * x) + 1; g(x); }", None),
            ("void f() { a = (float)(n * x); g(x); }", None),
            ("#define F(n) (n * x)\n#define G x\n", None),
            // What stands behind a cast is a value.
            (
                "void f(int x) { const size_t all = (size_t)n * x; g(x); }",
                Some(("int", 0)),
            ),
            (
                "void f(int x) { a += (unsigned long long)n * x; g(x); }",
                Some(("int", 0)),
            ),
            ("void f() { return (T)n & x; }", None),
            ("void f() { g((T)n * x, 1); h(x); }", None),
            ("void f() { a = b << (T)n & x; g(x); }", None),
            ("void f() { a = c ? (T)n * x : 0; g(x); }", None),
            ("void f() { a = (T)m::n * x; g(x); }", None),
            ("int a = sizeof(T) * x; void f() { g(x); }", None),
            ("const int a[] = {(int)n * x, 2}; void f() { g(x); }", None),
            ("ALIGNED(16) T *x; void f() { g(x); }", Some(("T", 1))),
            (
                "__attribute__((used)) T *x; void f() { g(x); }",
                Some(("T", 1)),
            ),
            ("void f() { if (a) T *x = b; g(x); }", Some(("T", 1))),
            ("void f() { (a) = b; T *x = c; g(x); }", Some(("T", 1))),
            ("[[nodiscard]] T *x; void f() { g(x); }", Some(("T", 1))),
        ] {
            let found = at_last_x(text, |doc, at| {
                declared(doc, at).map(|found| {
                    let words = found.words.join(&b' ');
                    (
                        String::from_utf8(words).expect("it is text"),
                        found.pointers,
                    )
                })
            });
            let found = found
                .as_ref()
                .map(|(words, pointers)| (words.as_str(), *pointers));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn template_arguments_begin_at_their_angle() {
        for (text, expected) in [
            ("A<int> x", Some("A")),
            ("A<B<int>, 2> x", Some("A")),
            ("; > x", None),
        ] {
            let name = at_last_x(text, |doc, at| {
                let open = angle_open(doc, doc.prev(at)?)?;
                Some(String::from_utf8_lossy(doc.bytes(doc.prev(open)?)).into_owned())
            });
            assert_eq!(name.as_deref(), expected, "{text}");
        }
    }
}
