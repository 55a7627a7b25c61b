//! Expressions as far as their tokens show them: casts, side effects, calls whose arguments can be trusted.

use std::ops::Range;

use crate::syntax::{Call, Document, TokenIndex};

/// The expression inside casts and parentheses: `(unsigned)(0xffffffff)`, `static_cast<unsigned>(-1)`, `unsigned(-1)`.
pub(crate) fn without_casts(doc: &Document<'_>, tokens: Range<TokenIndex>) -> Range<TokenIndex> {
    let mut tokens = tokens;
    while tokens.len() >= 3 {
        let last = tokens.end - 1;
        let close = doc.partner(tokens.start);
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
            && let Some(open) = doc.partner(last)
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

/// The call at a name whose arguments can be trusted.
pub(crate) fn trusted_call(doc: &Document<'_>, at: TokenIndex) -> Option<Call> {
    doc.call(at).filter(|call| {
        !call.split_by_directive
            && call.arguments.iter().all(|tokens| {
                !tokens.is_empty()
                    && tokens
                        .clone()
                        .all(|at| !matches!(doc.bytes(at), b"..." | b"__VA_ARGS__"))
            })
    })
}

/// Whether a comment stands between two offsets.
pub(crate) fn holds_comment(doc: &Document<'_>, from: u32, to: u32) -> bool {
    let next = doc.comments.partition_point(|comment| comment.start < from);
    doc.comments
        .get(next)
        .is_some_and(|comment| comment.start < to)
}
