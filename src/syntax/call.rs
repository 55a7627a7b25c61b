use std::ops::Range;

use super::lexed::Lexed;
use super::{TokenIndex, TokenKind, flags};
use crate::text::TextRange;

/// A call as tokens: `name<template arguments>(arguments)`.
#[derive(Clone, Debug)]
pub struct Call {
    /// The identifier that is called.
    pub name: TokenIndex,
    /// The `(`.
    pub open: TokenIndex,
    /// The matching `)`.
    pub close: TokenIndex,
    /// Tokens between `<` and `>`, both excluded, if there are template arguments.
    pub template_arguments: Option<Range<TokenIndex>>,
    /// Tokens of each argument, commas excluded; an argument may be empty in broken code.
    pub arguments: Vec<Range<TokenIndex>>,
    /// An `#if` or another directive stands between the parentheses: arguments cannot be trusted.
    pub split_by_directive: bool,
}

impl Call {
    pub(super) fn at(document: &Lexed<'_>, torn: &Torn, name: TokenIndex) -> Option<Self> {
        let mut open = document.next(name)?;
        let mut template_arguments = None;
        if document.is(open, "<") {
            let close = template_close(document, open)?;
            template_arguments = Some(open + 1..close);
            open = document.next(close)?;
        }
        if !document.is(open, "(") {
            return None;
        }
        let close = document.matching_bracket(open)?;
        if torn.holds_statement[open] {
            return None;
        }
        let of_directives = torn.directive_tokens(document, open..close);
        let split_by_directive = if document.tokens[name].has(flags::DIRECTIVE) {
            of_directives != close - open
        } else {
            of_directives > 0
        };
        let arguments = split_arguments(document, open + 1..close);
        Some(Self {
            name,
            open,
            close,
            template_arguments,
            arguments,
            split_by_directive,
        })
    }

    /// Bytes of the argument at `position`, from its first to its last token; `None` when there is none or it is empty.
    pub fn argument(&self, document: &Lexed<'_>, position: usize) -> Option<TextRange> {
        let tokens = self
            .arguments
            .get(position)
            .filter(|tokens| !tokens.is_empty())?;
        Some(document.range(tokens.start, tokens.end - 1))
    }

    /// Bytes from the name to the closing parenthesis.
    pub fn range(&self, document: &Lexed<'_>) -> TextRange {
        document.range(self.name, self.close)
    }
}

/// What stands between the parentheses of a file, worked out once: calls within calls would look through the inner ones again and again.
pub(super) struct Torn {
    /// For each opening parenthesis, whether a `;` stands in it outside braces: then it is torn, or that of a loop or a macro for
    /// statements.
    holds_statement: Vec<bool>,
    /// For each directive, how many tokens those in front of it have.
    tokens_before: Vec<usize>,
}

impl Torn {
    pub(super) fn new(document: &Lexed<'_>) -> Self {
        let mut before = 0;
        let tokens_before = document.directives.iter().map(|directive| {
            let before_this = before;
            before += directive.tokens.len();
            before_this
        });
        Self {
            tokens_before: tokens_before.collect(),
            holds_statement: holds_statement(document),
        }
    }

    /// How many of some tokens belong to directives.
    fn directive_tokens(&self, document: &Lexed<'_>, tokens: Range<TokenIndex>) -> usize {
        let in_front_of = |token: TokenIndex| {
            let started = document
                .directives
                .partition_point(|directive| directive.tokens.start < token);
            started.checked_sub(1).map_or(0, |last| {
                let of_last = document.directives[last].tokens.clone();
                self.tokens_before[last] + of_last.end.min(token) - of_last.start
            })
        };
        in_front_of(tokens.end) - in_front_of(tokens.start)
    }
}

/// For each token, whether it is a parenthesis with a `;` in it outside braces.
fn holds_statement(document: &Lexed<'_>) -> Vec<bool> {
    let (mut holds, mut open) = (vec![false; document.tokens.len()], Vec::new());
    for (at, token) in document.tokens.iter().enumerate() {
        let sign = document.source.bytes[token.start as usize];
        if token.kind != TokenKind::Punct || !matches!(sign, b'(' | b'{' | b';') {
            continue;
        }
        while open.last().is_some_and(|&(_, close)| close <= at) {
            open.pop();
        }
        if sign != b';' {
            open.extend(document.matching_bracket(at).map(|close| (at, close)));
            continue;
        }
        let mut around = open.iter().rev().map(|&(open, _)| open);
        // What stands around one that is marked is marked already.
        while let Some(paren) = around.next()
            && document.is(paren, "(")
            && !std::mem::replace(&mut holds[paren], true)
        {}
    }
    holds
}

/// Splits tokens at the commas that stand outside brackets and template arguments. No tokens, no arguments.
pub(crate) fn split_arguments(
    document: &Lexed<'_>,
    tokens: Range<TokenIndex>,
) -> Vec<Range<TokenIndex>> {
    let mut arguments = Vec::new();
    if tokens.is_empty() {
        return arguments;
    }
    let (mut start, mut at) = (tokens.start, tokens.start);
    while at < tokens.end {
        if document.is(at, ",") {
            arguments.push(start..at);
            start = at + 1;
        } else if let Some(close) = document
            .matching_bracket(at)
            .filter(|&close| close > at && close < tokens.end)
        {
            at = close;
        } else if document.is(at, "<") && at > tokens.start && document.is_ident(at - 1) {
            at = template_close(document, at)
                .filter(|&close| close < tokens.end)
                .unwrap_or(at);
        }
        at += 1;
    }
    arguments.push(start..tokens.end);
    arguments
}

/// The `>` that closes the template argument list opened at `open`, if it reads like one: only types, names, constants and
/// brackets inside, and behind it something that can follow a template-id. Keeps `a < b, c > d` apart from `f<b, c>(d)`.
pub(super) fn template_close(document: &Lexed<'_>, open: TokenIndex) -> Option<TokenIndex> {
    if !document.is(open, "<") {
        return None;
    }
    let (mut depth, mut at) = (0usize, open);
    // 400 tokens are more than any template argument list that was seen in real code (longest: 61).
    for _ in 0..400 {
        match document.tokens[at].kind {
            TokenKind::Punct => match document.bytes(at) {
                b"<" => depth += 1,
                b">" => depth -= 1,
                b"(" | b"[" | b"{" => {
                    at = document.matching_bracket(at).filter(|&close| close > at)?
                }
                b")" | b"]" | b"}" | b";" | b"=" | b"||" | b"+=" | b"-=" => return None,
                _ => {}
            },
            TokenKind::Str | TokenKind::RawStr => return None,
            _ => {}
        }
        if depth == 0 {
            return follows_template_id(document, at).then_some(at);
        }
        at = document.next(at)?;
    }
    None
}

fn follows_template_id(document: &Lexed<'_>, close: TokenIndex) -> bool {
    let Some(next) = document.next(close) else {
        return true;
    };
    match document.tokens[next].kind {
        TokenKind::Punct => matches!(
            document.bytes(next),
            b"(" | b"::"
                | b"{"
                | b","
                | b")"
                | b"<"
                | b">"
                | b";"
                | b"&"
                | b"*"
                | b"&&"
                | b"["
                | b"..."
                | b"."
                | b"}"
                | b"="
        ),
        TokenKind::Ident => true,
        _ => false,
    }
}
