//! Bytes to tokens for C, C++ and CUDA. Tokens tile the input: every byte belongs to exactly one, whatever the input.

mod class;
mod directive;
mod ends;
mod flags;

use self::class::is;
use self::directive::Directive;
use super::token::{Token, TokenKind};

/// All tokens of `bytes`, white space and comments included, in order and without gaps.
pub fn lex(bytes: &[u8]) -> impl Iterator<Item = Token> + '_ {
    Lexer {
        bytes,
        at: 0,
        line_start: true,
        space_before: false,
        directive: Directive::No,
        cut: None,
    }
}

struct Lexer<'b> {
    bytes: &'b [u8],
    at: usize,
    line_start: bool,
    space_before: bool,
    directive: Directive,
    /// Where a token ends that was too long, and what its other pieces are.
    cut: Option<(usize, TokenKind)>,
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    #[inline]
    fn next(&mut self) -> Option<Token> {
        let start = self.at;
        let first = *self.bytes.get(start)?;
        let (kind, end) = match self.cut {
            None => self.scan_token(first),
            Some(_) => self.next_piece(),
        };
        debug_assert!(end > start, "a token covers at least one byte");
        let end = if end - start > Token::LONGEST {
            self.cut(kind, end)
        } else {
            end
        };
        self.at = end;
        let flags = self.flags_and_advance(kind, start, end);
        Some(Token::new(start, end - start, kind, flags))
    }
}

impl Lexer<'_> {
    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    /// The end of the first piece of a token that is longer than tokens get.
    #[cold]
    fn cut(&mut self, kind: TokenKind, end: usize) -> usize {
        let of_rest = if kind.is_significant() {
            TokenKind::Unknown
        } else {
            kind
        };
        self.cut = Some((end, of_rest));
        self.at + Token::LONGEST
    }

    #[cold]
    fn next_piece(&mut self) -> (TokenKind, usize) {
        let (end, kind) = self.cut.take().unwrap_or((self.at + 1, TokenKind::Unknown));
        (kind, end)
    }

    #[inline]
    fn scan_token(&self, first: u8) -> (TokenKind, usize) {
        let at = self.at;
        let class = class::OF[usize::from(first)];
        if class & class::BLANK != 0 {
            return (TokenKind::Space, self.skip_blanks(at + 1));
        }
        if class & class::IDENT_START != 0 {
            return self.word(first);
        }
        if class & class::ALONE != 0 {
            return (TokenKind::Punct, at + 1);
        }
        match first {
            b'\n' => (TokenKind::Newline, at + 1),
            b'\r' => (
                TokenKind::Newline,
                at + 1 + usize::from(self.byte(at + 1) == b'\n'),
            ),
            b'\\' => self
                .splice_at(at)
                .map_or((TokenKind::Unknown, at + 1), |end| (TokenKind::Space, end)),
            b'/' if self.byte(at + 1) == b'/' => {
                (TokenKind::LineComment, self.logical_line_end(at))
            }
            b'/' if self.byte(at + 1) == b'*' => {
                (TokenKind::BlockComment, self.block_comment_end(at))
            }
            b'"' => (TokenKind::Str, self.literal_end(at, b'"')),
            b'\'' => (TokenKind::Char, self.literal_end(at, b'\'')),
            b'0'..=b'9' => (TokenKind::Number, self.number_end(at)),
            b'.' if self.byte(at + 1).is_ascii_digit() => (TokenKind::Number, self.number_end(at)),
            b'<' if self.directive == Directive::Include => self.header_name(at),
            _ if first.is_ascii_punctuation() => (TokenKind::Punct, at + self.operator_len(at)),
            _ => (TokenKind::Unknown, at + 1),
        }
    }

    /// An identifier, a literal with a prefix, or a byte order mark.
    #[inline]
    fn word(&self, first: u8) -> (TokenKind, usize) {
        let at = self.at;
        if first == 0xef && at == 0 && self.bytes.starts_with(b"\xef\xbb\xbf") {
            return (TokenKind::Space, 3);
        }
        let end = self.ident_end(at + 1);
        if matches!(self.byte(end), b'"' | b'\'') {
            self.ident_or_prefixed_literal(at, end)
        } else {
            (TokenKind::Ident, end)
        }
    }

    /// The word from `at` to `end` with a quote behind it.
    fn ident_or_prefixed_literal(&self, at: usize, end: usize) -> (TokenKind, usize) {
        match (self.byte(end), &self.bytes[at..end]) {
            (b'"', b"R" | b"LR" | b"uR" | b"UR" | b"u8R") => {
                (TokenKind::RawStr, self.raw_string_end(end))
            }
            (b'"', b"L" | b"u" | b"U" | b"u8") => (TokenKind::Str, self.literal_end(end, b'"')),
            (b'\'', b"L" | b"u" | b"U" | b"u8") => (TokenKind::Char, self.literal_end(end, b'\'')),
            _ => (TokenKind::Ident, end),
        }
    }
}

/// Whether a byte can continue an identifier; bytes above ASCII can, as UTF-8 and as Latin-1.
pub(super) fn is_ident_continue(byte: u8) -> bool {
    is(byte, class::IDENT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::token::flags;

    fn significant(source: &str) -> Vec<(TokenKind, &str)> {
        lex(source.as_bytes())
            .filter(Token::is_significant)
            .map(|t| (t.kind, &source[t.range().as_usize()]))
            .collect()
    }

    #[test]
    fn tokens_tile_awkward_input() {
        for source in [
            "",
            "\u{feff}int",
            "a\0b\\",
            "/* open",
            "R\"x(",
            "R\"abc d(",
            "\"open\n'",
            "1'000'000ull .5e-3f",
            "#define A(\\\n x) x\r\n",
            "'\\",
            "#include <open\n",
        ] {
            let mut at = 0;
            for token in lex(source.as_bytes()) {
                assert_eq!(token.start, at, "{source:?}");
                at = token.end();
            }
            assert_eq!(at as usize, source.len(), "{source:?}");
        }
    }

    #[test]
    fn raw_strings_hide_what_they_hold() {
        let tokens = significant("x = R\"k(cudaMalloc)\" )k\"_s + u8R\"()\" ;");
        assert_eq!(
            tokens.iter().filter(|t| t.0 == TokenKind::RawStr).count(),
            2
        );
        assert!(tokens.iter().all(|t| t.1 != "cudaMalloc"));
    }

    #[test]
    fn line_comments_go_on_behind_a_splice() {
        assert_eq!(
            significant("a // b \\\r\n still\nc"),
            [(TokenKind::Ident, "a"), (TokenKind::Ident, "c")]
        );
    }

    #[test]
    fn macro_bodies_and_header_names_are_marked() {
        let source =
            "#define F(a, b) cudaFree(a) \\\n + b\n#include <cuda.h> // x\n#  define G (1)\nx<y>z";
        let tokens: Vec<Token> = lex(source.as_bytes())
            .filter(Token::is_significant)
            .collect();
        let body: Vec<&str> = tokens
            .iter()
            .filter(|t| t.has(flags::MACRO_BODY))
            .map(|t| &source[t.range().as_usize()])
            .collect();
        assert_eq!(body, ["cudaFree", "(", "a", ")", "+", "b", "(", "1", ")"]);
        assert!(
            tokens
                .iter()
                .any(|t| t.kind == TokenKind::HeaderName && t.size() == 8)
        );
        assert!(!tokens.last().unwrap().has(flags::DIRECTIVE));
    }

    #[test]
    fn angle_brackets_stand_alone() {
        assert_eq!(
            significant("k<<<g,b>>>(x)")
                .iter()
                .filter(|t| t.1 == "<" || t.1 == ">")
                .count(),
            6
        );
    }
}
