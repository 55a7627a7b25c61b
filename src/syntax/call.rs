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
        let of_directives = torn.directive_tokens[close] - torn.directive_tokens[open];
        let split_by_directive = if document.tokens[name].has(flags::DIRECTIVE) {
            of_directives as usize != close - open
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
    /// For each token, how many in front of it belong to directives.
    directive_tokens: Vec<u32>,
}

impl Torn {
    pub(super) fn new(document: &Lexed<'_>) -> Self {
        let count = document.tokens.len();
        let (mut holds_statement, mut open) = (vec![false; count], Vec::new());
        let (mut directive_tokens, mut directives) = (Vec::with_capacity(count), 0);
        for at in 0..count {
            directive_tokens.push(directives);
            directives += u32::from(document.tokens[at].has(flags::DIRECTIVE));
            while open.last().is_some_and(|&(_, close)| close <= at) {
                open.pop();
            }
            if document.tokens[at].kind != TokenKind::Punct {
                continue;
            }
            match document.bytes(at) {
                b"(" | b"{" => open.extend(document.matching_bracket(at).map(|close| (at, close))),
                b";" => {
                    let mut around = open.iter().rev().map(|&(open, _)| open);
                    // What stands around one that is marked is marked already.
                    while let Some(paren) = around.next()
                        && document.is(paren, "(")
                        && !std::mem::replace(&mut holds_statement[paren], true)
                    {
                    }
                }
                _ => {}
            }
        }
        Self {
            holds_statement,
            directive_tokens,
        }
    }
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
