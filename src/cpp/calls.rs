//! Calls: at a name with arguments to rely on, around a place, and what stands between the brackets of a name.

use std::ops::Range;

use crate::cpp::declarations::angle_open;
use crate::syntax::{Call, Document, TokenIndex, split_arguments};

/// How many tokens are looked through for the parenthesis around one; closed brackets count as one. No call in real code has its
/// argument further from its parenthesis.
const REACH: usize = 200;

/// Functions of programmatic dependent launch, which have nothing to do on AMD.
pub(crate) const DEPENDENT_LAUNCH: &[&str] = &[
    "cudaGridDependencySynchronize",
    "cudaTriggerProgrammaticLaunchCompletion",
];

/// The call at a name where its arguments are those that the tokens show: none is empty, a pack, or broken by a directive.
pub(crate) fn trusted_call(doc: &Document<'_>, at: TokenIndex) -> Option<Call> {
    let packs = doc.fact(Packs::new);
    doc.call(at).filter(|call| {
        let is_shown = |tokens: &Range<TokenIndex>| !tokens.is_empty() && !packs.stand_in(tokens);
        !call.split_by_directive && call.arguments.iter().all(is_shown)
    })
}

/// Where a pack of arguments stands, `args...` or `__VA_ARGS__`, in order: calls within calls share their tokens.
struct Packs(Vec<TokenIndex>);

impl Packs {
    fn new(doc: &Document<'_>) -> Self {
        let is_pack = |at: &TokenIndex| {
            let is_dots = doc.is(*at, ".") && doc.is(*at + 1, ".");
            is_dots || doc.is(*at, "__VA_ARGS__")
        };
        Self((0..doc.tokens.len()).filter(is_pack).collect())
    }

    fn stand_in(&self, tokens: &Range<TokenIndex>) -> bool {
        let first = self.0.partition_point(|at| *at < tokens.start);
        self.0.get(first).is_some_and(|at| *at < tokens.end)
    }
}

/// The `(` around a token that nothing closes before, in the same statement or in the head of a `for`.
pub(crate) fn enclosing_parenthesis(doc: &Document<'_>, place: TokenIndex) -> Option<TokenIndex> {
    open_around(doc, place, |word| word == b"{")
}

/// Whether a parenthesis is open in front of a token of the same statement.
pub(crate) fn is_in_parentheses(doc: &Document<'_>, place: TokenIndex) -> bool {
    open_around(doc, place, ends_statement).is_some()
}

/// The name of the innermost call that has the token among its arguments.
pub(crate) fn enclosing_call(doc: &Document<'_>, index: TokenIndex) -> Option<TokenIndex> {
    let open = open_around(doc, index, ends_statement)?;
    doc.prev(open).filter(|&name| doc.is_ident(name))
}

/// The name of the call that has an argument which a token begins, and the argument's position: of `CHECK(table, cuInit(0))` and `cuInit`
/// `CHECK` and 1.
pub(crate) fn begun_argument(doc: &Document<'_>, at: TokenIndex) -> Option<(TokenIndex, usize)> {
    let before = doc.prev(at)?;
    if !matches!(doc.bytes(before), b"(" | b",") {
        return None;
    }
    let callee = enclosing_call(doc, at).or_else(|| {
        // `f<1>(threadIdx)`
        let close = doc
            .prev(before)
            .filter(|&at| doc.is(before, "(") && doc.is(at, ">"))?;
        doc.prev(angle_open(doc, close)?)
            .filter(|&at| doc.is_ident(at))
    })?;
    let mut arguments = doc.call(callee)?.arguments.into_iter();
    let position = arguments.position(|tokens| tokens.start == at)?;
    Some((callee, position))
}

/// Whether a place stands in an argument of a macro that the file defines in more than one way, so that a build may have no use for the
/// argument: `HOST_OR_DEVICE(host, device)`.
pub(crate) fn is_for_choosing_macro(doc: &Document<'_>, index: TokenIndex) -> bool {
    let mut callees = std::iter::successors(enclosing_call(doc, index), |&name| {
        enclosing_call(doc, name)
    });
    callees.any(|name| doc.macros_called(doc.bytes(name)).nth(1).is_some())
}

fn ends_statement(word: &[u8]) -> bool {
    matches!(word, b";" | b"{")
}

fn open_around(
    doc: &Document<'_>,
    place: TokenIndex,
    ends: impl Fn(&[u8]) -> bool,
) -> Option<TokenIndex> {
    let mut at = place;
    for _ in 0..REACH {
        at = doc.prev(at)?;
        match doc.bytes(at) {
            b"(" => return Some(at),
            b")" | b"]" | b"}" => at = doc.matching_bracket(at).filter(|&open| open < at)?,
            word if ends(word) => return None,
            _ => {}
        }
    }
    None
}

/// What stands between the `<` behind a name and its `>`, and that `>`.
pub(crate) fn template_arguments(
    doc: &Document<'_>,
    name: TokenIndex,
) -> Option<(Vec<Range<TokenIndex>>, TokenIndex)> {
    let open = doc.next(name).filter(|&open| doc.is(open, "<"))?;
    let close = doc.template_close(open)?;
    Some((split_arguments(doc, open + 1..close), close))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpp::probe::at_first_x;

    fn text(doc: &Document<'_>, at: Option<TokenIndex>) -> String {
        at.map_or_else(String::new, |at| {
            String::from_utf8_lossy(doc.bytes(at)).into_owned()
        })
    }

    #[test]
    fn the_innermost_call_is_found_through_brackets() {
        for (written, expected) in [
            ("g(x);", "g"),
            ("g(a, h(b), x);", "g"),
            ("g(a, h(b, x));", "h"),
            ("g(a[x]);", "g"),
            ("g([] { f(); }, x);", "g"),
            ("g(a); x;", ""),
            ("{ x }", ""),
            ("(x)", ""),
            ("for (a; b; x)", ""),
        ] {
            let found = at_first_x(written, |doc, at| text(doc, enclosing_call(doc, at)));
            assert_eq!(found, expected, "{written}");
        }
    }

    #[test]
    fn parentheses_are_those_of_the_statement() {
        for (written, is_in, before) in [
            ("f(x)", true, "f"),
            ("f(a, (b), x)", true, "f"),
            ("f(a) x", false, ""),
            ("if (a) { x", false, ""),
            ("f(a); x", false, ""),
            ("for (a; b; x)", false, "for"),
        ] {
            let found = at_first_x(written, |doc, at| {
                let open = enclosing_parenthesis(doc, at);
                let before = text(doc, open.and_then(|open| doc.prev(open)));
                (is_in_parentheses(doc, at), before)
            });
            assert_eq!(found, (is_in, before.to_owned()), "{written}");
        }
    }

    #[test]
    fn template_arguments_are_those_of_the_name() {
        for (written, expected) in [
            ("x<a, b<c, d>, 3>(e)", Some(3)),
            ("x<a>::y", Some(1)),
            ("x(a, b)", None),
            ("x < a;", None),
            ("x", None),
        ] {
            let found = at_first_x(written, |doc, at| {
                template_arguments(doc, at).map(|(arguments, _)| arguments.len())
            });
            assert_eq!(found, expected, "{written}");
        }
    }

    #[test]
    fn calls_are_trusted_where_each_argument_is_seen() {
        for (written, wanted) in [
            ("x(a, b);", Some(2)),
            ("x();", Some(0)),
            ("x(a, );", None),
            ("x(__VA_ARGS__);", None),
            ("x(a, more...);", None),
            ("x(a\n#ifdef B\n, b\n#endif\n);", None),
            ("x;", None),
        ] {
            let found = at_first_x(written, |doc, x| {
                trusted_call(doc, x).map(|call| call.arguments.len())
            });
            assert_eq!(found, wanted, "{written}");
        }
    }

    #[test]
    fn an_argument_begins_with_a_name() {
        for (text, expected) in [
            ("void f() { CHECK(t, x(0)); }", Some(1)),
            ("void f() { CHECK(x(0, 1), out); }", Some(0)),
            ("void f() { CHECK(t, !x(0)); }", None),
            ("void f() { a = x(0); }", None),
            ("void f() { g<1>(x); }", Some(0)),
        ] {
            let found = at_first_x(text, |doc, at| begun_argument(doc, at).map(|it| it.1));
            assert_eq!(found, expected, "{text}");
        }
    }
}
