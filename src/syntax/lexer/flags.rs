//! The flags that tokens get by where they stand.

use super::Lexer;
use super::directive::{Directive, directive_named};
use crate::syntax::token::{TokenKind, flags};

impl Lexer<'_> {
    /// Flags of the token just scanned; moves the line and directive state on.
    #[inline]
    pub(super) fn flags_and_advance(&mut self, kind: TokenKind, start: usize, end: usize) -> u8 {
        let significant = kind.is_significant();
        if self.line_start && kind == TokenKind::Punct && self.bytes[start..end] == *b"#" {
            self.directive = Directive::Hash;
        }
        let in_directive = self.directive != Directive::No;
        let mut bits = (u8::from(in_directive) * flags::DIRECTIVE)
            | (u8::from(self.space_before) * flags::SPACE_BEFORE)
            | (u8::from(self.line_start) * flags::LINE_START);
        if kind == TokenKind::Newline {
            self.directive = Directive::No;
            (self.line_start, self.space_before) = (true, true);
            return bits;
        }
        if in_directive {
            bits |= self.advance_directive(kind, significant, start, end);
        }
        self.line_start &= !significant;
        self.space_before = !significant;
        bits
    }

    fn advance_directive(
        &mut self,
        kind: TokenKind,
        significant: bool,
        start: usize,
        end: usize,
    ) -> u8 {
        let text = &self.bytes[start..end];
        let (next, in_body) = match self.directive {
            Directive::DefineName if significant && text == b"(" && !self.space_before => {
                (Directive::DefineParams, false)
            }
            Directive::DefineName if kind == TokenKind::LineComment || !significant => {
                (Directive::DefineName, false)
            }
            Directive::DefineName | Directive::Body => (Directive::Body, significant),
            _ if !significant => (self.directive, false),
            Directive::Hash if text == b"#" => (Directive::Hash, false),
            Directive::Hash => (directive_named(text), false),
            Directive::Define => (Directive::DefineName, false),
            Directive::DefineParams if text == b")" => (Directive::Body, false),
            Directive::Include => (Directive::Other, false),
            other => (other, false),
        };
        self.directive = next;
        u8::from(in_body) * flags::MACRO_BODY
    }
}
