//! Preprocessor directives as token ranges. Nothing is evaluated or expanded.

use std::ops::Range;

use super::{Token, TokenIndex, TokenKind, flags};
use crate::text::TextRange;

/// What a directive does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DirectiveKind {
    /// `#if`
    If,
    /// `#ifdef`
    Ifdef,
    /// `#ifndef`
    Ifndef,
    /// `#elif`, `#elifdef`, `#elifndef`
    Elif,
    /// `#else`
    Else,
    /// `#endif`
    Endif,
    /// `#define`
    Define,
    /// `#undef`
    Undef,
    /// `#include`, `#include_next`, `#import`
    Include,
    /// `#pragma`
    Pragma,
    /// `#error`, `#warning`, `#line`, `#` alone and everything else.
    Other,
}

impl DirectiveKind {
    /// Whether it asks for something.
    pub(crate) fn is_condition(self) -> bool {
        matches!(self, Self::If | Self::Ifdef | Self::Ifndef | Self::Elif)
    }

    /// Whether it begins a group of branches.
    pub(crate) fn opens_group(self) -> bool {
        matches!(self, Self::If | Self::Ifdef | Self::Ifndef)
    }

    /// Whether it begins another branch of a group.
    pub(crate) fn continues_group(self) -> bool {
        matches!(self, Self::Elif | Self::Else)
    }

    /// Whether it begins, parts or ends a group of branches.
    pub(crate) fn is_of_group(self) -> bool {
        self.opens_group() || self.continues_group() || self == Self::Endif
    }

    /// Whether it asks that a macro is not defined.
    pub(crate) fn is_negative(self) -> bool {
        self == Self::Ifndef
    }
}

/// One directive.
#[derive(Clone, Debug)]
pub struct Directive {
    /// What it does.
    pub kind: DirectiveKind,
    /// Its tokens, `#` included.
    pub tokens: Range<TokenIndex>,
    /// Bytes from `#` to the end of its last token.
    pub range: TextRange,
}

impl Directive {
    /// Tokens behind the directive's name.
    pub fn operands(&self) -> Range<TokenIndex> {
        (self.tokens.start + 2).min(self.tokens.end)..self.tokens.end
    }
}

/// An include directive with a literal path.
#[derive(Clone, Debug)]
pub struct Include {
    /// The path token, delimiters included.
    pub token: TokenIndex,
    /// Bytes of the path between the delimiters.
    pub path: TextRange,
    /// `<path>` rather than `"path"`.
    pub angled: bool,
    /// The whole directive.
    pub directive: TextRange,
}

/// Finds the directives among significant tokens.
pub(super) fn directives(source: &[u8], tokens: &[Token]) -> Vec<Directive> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if !(tokens[at].has(flags::DIRECTIVE)
            && tokens[at].has(flags::LINE_START)
            && source[tokens[at].start as usize] == b'#')
        {
            at += 1;
            continue;
        }
        let next_starts = |t: &Token| {
            !t.has(flags::DIRECTIVE)
                || (t.has(flags::LINE_START) && source[t.start as usize] == b'#')
        };
        let end = tokens[at + 1..]
            .iter()
            .position(next_starts)
            .map_or(tokens.len(), |len| at + 1 + len);
        let name = tokens
            .get(at + 1)
            .filter(|_| at + 1 < end)
            .map_or(&b""[..], |t| &source[t.range().as_usize()]);
        let range = TextRange::new(tokens[at].start, tokens[end - 1].end());
        found.push(Directive {
            kind: kind_of(name),
            tokens: at..end,
            range,
        });
        at = end;
    }
    found
}

/// The include directives with literal paths; computed ones (`#include HEADER`) have none.
pub(crate) fn includes(tokens: &[Token], directives: &[Directive]) -> Vec<Include> {
    let of = |directive: &Directive| {
        let token = directive.operands().next()?;
        let range = tokens[token].range();
        let literal = matches!(tokens[token].kind, TokenKind::HeaderName | TokenKind::Str)
            && range.len() >= 2;
        literal.then(|| Include {
            token,
            path: TextRange::new(range.start + 1, range.end - 1),
            angled: tokens[token].kind == TokenKind::HeaderName,
            directive: directive.range,
        })
    };
    directives
        .iter()
        .filter(|d| d.kind == DirectiveKind::Include)
        .filter_map(of)
        .collect()
}

fn kind_of(name: &[u8]) -> DirectiveKind {
    match name {
        b"if" => DirectiveKind::If,
        b"ifdef" => DirectiveKind::Ifdef,
        b"ifndef" => DirectiveKind::Ifndef,
        b"elif" | b"elifdef" | b"elifndef" => DirectiveKind::Elif,
        b"else" => DirectiveKind::Else,
        b"endif" => DirectiveKind::Endif,
        b"define" => DirectiveKind::Define,
        b"undef" => DirectiveKind::Undef,
        b"include" | b"include_next" | b"import" => DirectiveKind::Include,
        b"pragma" => DirectiveKind::Pragma,
        _ => DirectiveKind::Other,
    }
}
