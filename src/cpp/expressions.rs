//! Expressions as far as their tokens show them: casts, side effects, comments.

use std::ops::Range;

use crate::syntax::{Document, TokenIndex};

/// The expression inside casts and parentheses: `(unsigned)(0xffffffff)`, `static_cast<unsigned>(-1)`, `unsigned(-1)`.
pub(crate) fn without_casts(doc: &Document<'_>, tokens: Range<TokenIndex>) -> Range<TokenIndex> {
    let mut tokens = tokens;
    while tokens.len() >= 3 {
        let last = tokens.end - 1;
        let close = doc.matching_bracket(tokens.start);
        if doc.is(tokens.start, "(") && close == Some(last) {
            tokens = tokens.start + 1..last;
        } else if doc.is(tokens.start, "(")
            && let Some(close) = close
            && close < last
            && are_type_words(doc, tokens.start + 1..close)
        {
            tokens = close + 1..tokens.end;
        } else if (doc.is(tokens.start, "static_cast") || is_type_word(doc, tokens.start))
            && doc.is(last, ")")
            && let Some(open) = doc.matching_bracket(last)
            && open > tokens.start
            && (tokens.start + 1..open)
                .all(|at| is_type_word(doc, at) || doc.is(at, "<") || doc.is(at, ">"))
        {
            tokens = open + 1..last;
        } else {
            break;
        }
    }
    tokens
}

fn are_type_words(doc: &Document<'_>, mut tokens: Range<TokenIndex>) -> bool {
    !tokens.is_empty() && tokens.all(|at| is_type_word(doc, at))
}

fn is_type_word(doc: &Document<'_>, at: TokenIndex) -> bool {
    matches!(
        doc.bytes(at),
        b"unsigned"
            | b"int"
            | b"long"
            | b"uint"
            | b"uint32_t"
            | b"uint64_t"
            | b"size_t"
            | b"signed"
            | b"int32_t"
            | b"u32"
            | b"uint32"
            | b"short"
    )
}

/// Whether evaluating the tokens does nothing but give a value, as far as they show.
pub(crate) fn is_pure(doc: &Document<'_>, tokens: Range<TokenIndex>) -> bool {
    let acts = |at: TokenIndex| {
        matches!(
            doc.bytes(at),
            b"++" | b"--" | b"=" | b"+=" | b"-=" | b"|=" | b"&=" | b"^=" | b"*=" | b"{"
        )
    };
    let calls =
        |at: TokenIndex| doc.is_ident(at) && doc.next_is(at, "(") && !doc.is(at, "__activemask");
    !tokens.into_iter().any(|at| acts(at) || calls(at))
}

/// Whether a comment stands between two offsets.
pub(crate) fn holds_comment(doc: &Document<'_>, from: u32, to: u32) -> bool {
    let next = doc.comments.partition_point(|comment| comment.start < from);
    doc.comments
        .get(next)
        .is_some_and(|comment| comment.start < to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpp::probe::at_first_x;

    /// The tokens between `x` and the `;` behind it.
    fn value(doc: &Document<'_>, x: TokenIndex) -> Range<TokenIndex> {
        let end = (x..doc.tokens.len()).find(|&at| doc.is(at, ";"));
        x + 1..end.expect("it ends")
    }

    #[test]
    fn casts_and_parentheses_are_taken_off() {
        for (written, inner) in [
            ("(unsigned)(0xffffffff)", "0xffffffff"),
            ("static_cast<unsigned>(-1)", "-1"),
            ("unsigned(-1)", "-1"),
            ("((~0))", "~0"),
            ("(unsigned long)~0", "~0"),
            // A product in parentheses, and a cast to a type that is not one of numbers.
            ("(a)*(b)", "(a)*(b)"),
            ("(mine)(a)", "(mine)(a)"),
            ("f(1)", "f(1)"),
        ] {
            let text = format!("x {written};");
            let found = at_first_x(&text, |doc, x| {
                let tokens = without_casts(doc, value(doc, x));
                doc.source
                    .text(doc.range(tokens.start, tokens.end - 1))
                    .into_owned()
            });
            assert_eq!(found, inner, "{written}");
        }
    }

    #[test]
    fn what_calls_or_writes_is_not_pure() {
        for (written, wanted) in [
            ("a + b[3]", true),
            ("__activemask()", true),
            ("(1u << lane) - 1", true),
            ("a == b", true),
            ("f(a)", false),
            ("i++", false),
            ("a |= b", false),
            ("int{3}", false),
        ] {
            let found = at_first_x(&format!("x {written};"), |doc, x| {
                is_pure(doc, value(doc, x))
            });
            assert_eq!(found, wanted, "{written}");
        }
    }

    #[test]
    fn comments_between_two_places_are_seen() {
        for (text, wanted) in [
            ("x /* a */ ;", true),
            ("x // a\n;", true),
            ("x ; // a", false),
            ("/* a */ x ;", false),
        ] {
            let found = at_first_x(text, |doc, x| {
                let end = (x..doc.tokens.len()).find(|&at| doc.is(at, ";"));
                let end = doc.tokens[end.expect("it ends")].start;
                holds_comment(doc, doc.tokens[x].start, end)
            });
            assert_eq!(found, wanted, "{text}");
        }
    }
}
