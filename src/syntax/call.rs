use std::ops::Range;

use super::{Document, TokenIndex, TokenKind, flags};
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
    pub(super) fn at(document: &Document<'_>, name: TokenIndex) -> Option<Self> {
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
        let close = document.partner(open)?;
        if holds_statement(document, open + 1..close) {
            return None;
        }
        let inside = document.tokens[name].has(flags::DIRECTIVE);
        let split_by_directive = document.tokens[open..close]
            .iter()
            .any(|token| token.has(flags::DIRECTIVE) != inside);
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
    pub fn argument(&self, document: &Document<'_>, position: usize) -> Option<TextRange> {
        let tokens = self
            .arguments
            .get(position)
            .filter(|tokens| !tokens.is_empty())?;
        Some(document.range(tokens.start, tokens.end - 1))
    }

    /// Bytes from the name to the closing parenthesis.
    pub fn range(&self, document: &Document<'_>) -> TextRange {
        document.range(self.name, self.close)
    }
}

/// Whether a `;` stands outside braces: then the parentheses are torn, or those of a loop or a macro for statements.
fn holds_statement(document: &Document<'_>, tokens: Range<TokenIndex>) -> bool {
    let mut at = tokens.start;
    while at < tokens.end {
        if document.is(at, ";") {
            return true;
        }
        let block = document
            .partner(at)
            .filter(|&close| close > at && document.is(at, "{"));
        at = block.unwrap_or(at) + 1;
    }
    false
}

/// Splits tokens at the commas that stand outside brackets and template arguments. No tokens, no arguments.
pub fn split_arguments(
    document: &Document<'_>,
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
            .partner(at)
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
pub(super) fn template_close(document: &Document<'_>, open: TokenIndex) -> Option<TokenIndex> {
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
                b"(" | b"[" | b"{" => at = document.partner(at).filter(|&close| close > at)?,
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

fn follows_template_id(document: &Document<'_>, close: TokenIndex) -> bool {
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
