//! Kernel launches `callee<<<grid, block, shared memory, stream>>>(arguments)`, found among the tokens: also in macros and
//! inactive branches, and with the blanks inside the brackets that nvcc takes.

use std::ops::Range;

use super::call::split_arguments;
use super::lexed::Lexed;
use super::{Token, TokenIndex, TokenKind, flags};
use crate::text::TextRange;
use crate::text::keywords::is_keyword;

/// One kernel launch.
#[derive(Clone, Debug)]
pub struct LaunchSite {
    /// Tokens of the kernel's name: qualified, templated, or a parenthesised expression.
    pub callee: Range<TokenIndex>,
    /// The first `<` of `<<<`; the other two are the next tokens.
    pub open: TokenIndex,
    /// Tokens of each launch configuration argument, 1 to 4 in correct code.
    pub config: Vec<Range<TokenIndex>>,
    /// The first `>` of `>>>`.
    pub close: TokenIndex,
    /// `(` and `)` of the kernel's arguments; absent in a macro that ends with the configuration.
    pub parens: Option<(TokenIndex, TokenIndex)>,
    /// Tokens of each kernel argument.
    pub arguments: Vec<Range<TokenIndex>>,
    /// The launch stands in the body of a macro.
    pub in_macro: bool,
}

impl LaunchSite {
    /// Bytes from the callee to the end of the launch.
    pub fn range(&self, document: &Lexed<'_>) -> TextRange {
        document.range(
            self.callee.start,
            self.parens.map_or(self.close + 2, |(_, close)| close),
        )
    }

    /// Bytes of `<<<`, blanks within included.
    pub(crate) fn open_range(&self, document: &Lexed<'_>) -> TextRange {
        document.range(self.open, self.open + 2)
    }

    /// Bytes of `>>>`, blanks within included.
    pub(crate) fn close_range(&self, document: &Lexed<'_>) -> TextRange {
        document.range(self.close, self.close + 2)
    }
}

pub(super) fn launches(document: &Lexed<'_>) -> Vec<LaunchSite> {
    let source = &document.source.bytes;
    let opens = |token: &Token| {
        token.kind == TokenKind::Punct && source[token.start as usize] == b'<' && token.size() == 1
    };
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(next) = document.tokens[at..].iter().position(opens) {
        at += next;
        match launch_at(document, at) {
            Some(site) => {
                at = site.open + 3;
                // A launch has no value, so none is what another launches.
                let inside = |it: &LaunchSite| site.callee.contains(&it.open);
                if !found.last().is_some_and(inside) {
                    found.push(site);
                }
            }
            None => at += 1,
        }
    }
    found
}

/// Three brackets in a row, at most one of the two gaps wide: `<<<`, `<< <`, `< <<`.
fn is_run(document: &Lexed<'_>, at: TokenIndex, bracket: &str) -> bool {
    let three =
        document.is(at, bracket) && document.is(at + 1, bracket) && document.is(at + 2, bracket);
    let touches =
        |index: TokenIndex| document.tokens[index].end() == document.tokens[index + 1].start;
    three && (touches(at) || touches(at + 1)) && is_same_stream(document, at, at + 2)
}

fn is_same_stream(document: &Lexed<'_>, first: TokenIndex, last: TokenIndex) -> bool {
    document.tokens[first].has(flags::DIRECTIVE) == document.tokens[last].has(flags::DIRECTIVE)
}

fn launch_at(document: &Lexed<'_>, open: TokenIndex) -> Option<LaunchSite> {
    if !is_run_at(document, open, "<") {
        return None;
    }
    let callee = callee_before(document, open)?;
    let close = closing_run(document, open + 3)?;
    let paren = document
        .next(close + 2)
        .filter(|&next| document.is(next, "("));
    let parens = paren.and_then(|open| Some((open, document.matching_bracket(open)?)));
    let in_macro = document.tokens[open].has(flags::MACRO_BODY);
    if parens.is_none() && !in_macro {
        return None;
    }
    let config = split_arguments(document, open + 3..close);
    let arguments = parens.map_or_else(Vec::new, |(open, close)| {
        split_arguments(document, open + 1..close)
    });
    Some(LaunchSite {
        callee,
        open,
        config,
        close,
        parens,
        arguments,
        in_macro,
    })
}

/// The first `>` of the closing `>>>`: the last three of a run of `>` outside brackets.
fn closing_run(document: &Lexed<'_>, mut at: TokenIndex) -> Option<TokenIndex> {
    loop {
        document.tokens.get(at)?;
        let ends = document.is(at, ";") || document.is(at, "}") || document.is(at, ")");
        // A launch has no value, so none stands in the configuration of another.
        if ends || is_run_at(document, at, "<") {
            return None;
        }
        if let Some(close) = document.matching_bracket(at).filter(|&close| close > at) {
            at = close;
        } else if is_run_at(document, at, ">") {
            while is_run_at(document, at + 1, ">")
                && document.tokens[at + 2].end() == document.tokens[at + 3].start
            {
                at += 1;
            }
            return Some(at);
        }
        at = document.next(at)?;
    }
}

fn is_run_at(document: &Lexed<'_>, at: TokenIndex, bracket: &str) -> bool {
    at + 2 < document.tokens.len() && is_run(document, at, bracket)
}

/// Tokens of the expression that is launched, which ends in front of `open`.
fn callee_before(document: &Lexed<'_>, open: TokenIndex) -> Option<Range<TokenIndex>> {
    let last = document.prev(open)?;
    let mut start = primary_start(document, last)?;
    while let Some(prev) = document.prev(start) {
        let joins = document.is(prev, "::") || document.is(prev, "->") || document.is(prev, ".");
        let keyword = document.is(prev, "template") && document.is_ident(start);
        if keyword {
            start = prev;
        } else if joins {
            start = document
                .prev(prev)
                .and_then(|before| primary_start(document, before))
                .unwrap_or(prev);
        } else {
            break;
        }
    }
    let is_name = !document.is(start, "operator") && !document.is(start, "hipLaunchKernelGGL");
    is_name.then_some(start..open)
}

/// Start of the name, template-id or bracketed expression that ends at `last`.
fn primary_start(document: &Lexed<'_>, last: TokenIndex) -> Option<TokenIndex> {
    let token = document.tokens[last];
    match token.kind {
        TokenKind::Ident if document.is(last, "this") => Some(last),
        TokenKind::Ident => (!is_keyword(document.bytes(last))).then_some(last),
        TokenKind::Punct => match document.bytes(last) {
            b")" => {
                let open = document.matching_bracket(last)?;
                Some(called(document, open).unwrap_or(open))
            }
            b"]" => document
                .matching_bracket(last)
                .and_then(|open| primary_start(document, document.prev(open)?)),
            b">" => template_start(document, last),
            b"##" => document
                .prev(last)
                .and_then(|before| primary_start(document, before)),
            _ => None,
        },
        _ => None,
    }
}

/// Start of what a call's arguments follow: `kernel_for(size)<<<grid, block>>>()` launches what a function gives.
fn called(document: &Lexed<'_>, open: TokenIndex) -> Option<TokenIndex> {
    let before = document.prev(open)?;
    let is_pointer = |open: TokenIndex| document.is(open + 1, "*");
    // `CHECK(x) (*kernel)<<<`: a macro in front of a statement.
    if is_pointer(open) && document.tokens[open].has(flags::SPACE_BEFORE) {
        return None;
    }
    if document.is(before, ")") {
        let first = document.matching_bracket(before)?;
        // `(void)(kernel)<<<` is a cast, `(*get)(size)<<<` a call.
        return match called(document, first) {
            None if is_pointer(first) => Some(first),
            start => start,
        };
    }
    primary_start(document, before)
}

/// The name in front of the `<` that the `>` at `close` belongs to.
fn template_start(document: &Lexed<'_>, close: TokenIndex) -> Option<TokenIndex> {
    let (mut depth, mut at) = (0usize, close);
    loop {
        match document.bytes(at) {
            b">" => depth += 1,
            b"<" => depth -= 1,
            b")" | b"]" | b"}" => at = document.matching_bracket(at).filter(|&open| open < at)?,
            b"(" | b"[" | b"{" | b";" => return None,
            _ => {}
        }
        at = document.prev(at)?;
        if depth == 0 {
            return document.is_ident(at).then_some(at);
        }
    }
}
