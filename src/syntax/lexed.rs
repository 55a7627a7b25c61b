//! A file as tokens: what stands beside what, which brackets belong together, which lines are directives.

use super::brackets::Brackets;
use super::{Directive, Token, TokenIndex, TokenKind, build_lexer, directive, flags, lexer};
use crate::text::{BuildTool, Language, SourceFile, TextRange};

/// The tokens of one file. What is found among them takes this; rules see all of it as a [`Document`](super::Document).
pub struct Lexed<'s> {
    /// The file.
    pub source: &'s SourceFile,
    /// Tokens that are neither white space nor comments.
    pub tokens: Vec<Token>,
    /// Comments, in order.
    pub comments: Vec<Token>,
    /// Preprocessor directives, in order.
    pub directives: Vec<Directive>,
    brackets: Brackets,
}

impl<'s> Lexed<'s> {
    pub(super) fn new(source: &'s SourceFile) -> Self {
        let (mut tokens, mut comments) = (Vec::with_capacity(source.bytes.len() / 4), Vec::new());
        let sort = |token: Token| match token.kind {
            TokenKind::LineComment | TokenKind::BlockComment => comments.push(token),
            _ if token.is_significant() => tokens.push(token),
            _ => {}
        };
        match source.language {
            Language::Build(BuildTool::CMake) => {
                build_lexer::lex_cmake(&source.bytes).for_each(sort)
            }
            Language::Build(_) => build_lexer::lex(&source.bytes).for_each(sort),
            Language::Python | Language::Notebook => {
                build_lexer::lex_python(&source.bytes).for_each(sort)
            }
            _ => lexer::lex(&source.bytes).for_each(sort),
        }
        let directives = directive::directives(&source.bytes, &tokens);
        let brackets = Brackets::new(&source.bytes, &tokens, &directives);
        Self {
            source,
            tokens,
            comments,
            directives,
            brackets,
        }
    }

    /// The bytes of a token; none behind the last.
    #[inline]
    pub fn bytes(&self, index: TokenIndex) -> &'s [u8] {
        #[cfg(test)]
        super::work::look();
        let token = self.tokens.get(index);
        token.map_or(&[], |token| self.source.slice(token.range()))
    }

    /// Whether the token at `index` exists and reads `text`.
    #[inline]
    pub fn is(&self, index: TokenIndex, text: &str) -> bool {
        let of_length = |token: &&Token| token.size() as usize == text.len();
        let token = self.tokens.get(index).filter(of_length);
        token.is_some_and(|token| {
            self.source.bytes[token.start as usize..].starts_with(text.as_bytes())
        })
    }

    /// The token `text` at the place in front of `index`, if it stands there.
    pub(crate) fn is_before(&self, index: TokenIndex, text: &str) -> bool {
        index > 0 && self.is(index - 1, text)
    }

    /// Whether the token is an identifier.
    #[inline]
    pub(crate) fn is_ident(&self, index: TokenIndex) -> bool {
        self.tokens
            .get(index)
            .is_some_and(|token| token.kind == TokenKind::Ident)
    }

    /// The next token of the same text stream: code skips directives, a macro body ends with its directive.
    pub fn next(&self, index: TokenIndex) -> Option<TokenIndex> {
        let inside = self.tokens.get(index)?.has(flags::DIRECTIVE);
        let mut next = index + 1;
        while !inside && self.tokens.get(next)?.has(flags::DIRECTIVE) {
            next += 1;
        }
        let token = self.tokens.get(next)?;
        (token.has(flags::DIRECTIVE) == inside
            && !(inside && token.has(flags::LINE_START) && self.bytes(next) == b"#"))
            .then_some(next)
    }

    /// The token before `index` in the same text stream.
    pub fn prev(&self, index: TokenIndex) -> Option<TokenIndex> {
        let inside = self.tokens[index].has(flags::DIRECTIVE);
        let mut prev = index.checked_sub(1)?;
        while !inside && self.tokens[prev].has(flags::DIRECTIVE) {
            prev = prev.checked_sub(1)?;
        }
        (self.tokens[prev].has(flags::DIRECTIVE) == inside).then_some(prev)
    }

    /// Whether the next token of the stream reads `text`.
    pub(crate) fn next_is(&self, index: TokenIndex, text: &str) -> bool {
        self.next(index).is_some_and(|next| self.is(next, text))
    }

    /// Whether the previous token of the stream reads `text`.
    pub(crate) fn prev_is(&self, index: TokenIndex, text: &str) -> bool {
        self.prev(index).is_some_and(|prev| self.is(prev, text))
    }

    /// The other bracket of a pair of `( ) [ ] { }`.
    pub fn matching_bracket(&self, index: TokenIndex) -> Option<TokenIndex> {
        self.brackets.get(index)
    }

    /// The opening braces, in order.
    pub(crate) fn open_braces(&self) -> impl Iterator<Item = TokenIndex> {
        let brackets = self.brackets.brackets();
        brackets.filter(|&at| self.source.bytes[self.tokens[at].start as usize] == b'{')
    }

    /// Index of the first token that starts at or behind `offset`.
    pub(crate) fn token_at(&self, offset: u32) -> TokenIndex {
        self.tokens.partition_point(|token| token.start < offset)
    }

    /// Bytes from the start of one token to the end of another.
    pub fn range(&self, first: TokenIndex, last: TokenIndex) -> TextRange {
        TextRange::new(self.tokens[first].start, self.tokens[last].end())
    }
}
