//! Bytes to tokens for C, C++ and CUDA. Tokens tile the input: every byte belongs to exactly one, whatever the input.

use super::token::{Token, TokenKind, flags};

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

/// How far the lexer is in a preprocessor directive.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Directive {
    No,
    /// `#` seen, the name comes next.
    Hash,
    /// In `#include` and its like: a `<…>` is one token.
    Include,
    /// In `#define`: the macro's name comes next.
    Define,
    /// Directly behind the macro's name: a `(` opens parameters.
    DefineName,
    /// Within the parameters of a function-like macro.
    DefineParams,
    Body,
    Other,
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

/// What a byte can begin or go on with.
mod class {
    pub(super) const IDENT_START: u8 = 1;
    pub(super) const IDENT: u8 = 2;
    pub(super) const BLANK: u8 = 4;
    pub(super) const DIGIT: u8 = 8;
    /// Punctuation that is a token of one byte, whatever comes behind.
    pub(super) const ALONE: u8 = 16;

    pub(super) static OF: [u8; 256] = table();

    const fn table() -> [u8; 256] {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            table[byte] = of(byte as u8);
            byte += 1;
        }
        table
    }

    const fn of(byte: u8) -> u8 {
        match byte {
            b'0'..=b'9' => IDENT | DIGIT,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. => IDENT_START | IDENT,
            b' ' | b'\t' | 0x0b | 0x0c => BLANK,
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b';' | b',' | b'?' | b'~' => ALONE,
            _ => 0,
        }
    }
}

fn is(byte: u8, classes: u8) -> bool {
    class::OF[usize::from(byte)] & classes != 0
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

    fn skip_blanks(&self, at: usize) -> usize {
        self.skip(at, class::BLANK)
    }

    /// The first byte from `at` on that is of none of the classes.
    #[inline]
    fn skip(&self, at: usize, classes: u8) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let len = rest.iter().position(|&byte| !is(byte, classes));
        len.map_or(self.bytes.len(), |len| at + len)
    }

    /// End of a line splice (`\`, blanks as gcc and clang allow, line end) at `at`.
    fn splice_at(&self, at: usize) -> Option<usize> {
        let end = self.skip_blanks(at + 1);
        match self.byte(end) {
            b'\n' => Some(end + 1),
            b'\r' => Some(end + 1 + usize::from(self.byte(end + 1) == b'\n')),
            _ => None,
        }
    }

    /// The line end that ends the logical line, not included: spliced lines belong to it.
    fn logical_line_end(&self, mut at: usize) -> usize {
        while let Some(found) = memchr::memchr3(b'\n', b'\r', b'\\', &self.bytes[at..]) {
            at += found;
            if self.bytes[at] != b'\\' {
                return at;
            }
            at = self.splice_at(at).unwrap_or(at + 1);
        }
        self.bytes.len()
    }

    fn block_comment_end(&self, at: usize) -> usize {
        memchr::memmem::find(&self.bytes[at + 2..], b"*/")
            .map_or(self.bytes.len(), |found| at + 2 + found + 2)
    }

    /// End of a string or character literal that opens at `at`; an unterminated one ends with its line.
    fn literal_end(&self, at: usize, quote: u8) -> usize {
        let mut at = at + 1;
        loop {
            match self.byte(at) {
                b'\\' => at = self.splice_at(at).unwrap_or((at + 2).min(self.bytes.len())),
                b'\n' | b'\r' => return at,
                byte if byte == quote => return self.literal_suffix_end(at + 1),
                _ if at >= self.bytes.len() => return self.bytes.len(),
                _ => at += 1,
            }
        }
    }

    /// User-defined suffixes start with one `_`; anything else behind a quote is a macro (`"%"PRIu64`, `"C"__global__`).
    fn literal_suffix_end(&self, at: usize) -> usize {
        if self.byte(at) == b'_' && self.byte(at + 1) != b'_' {
            self.ident_end(at)
        } else {
            at
        }
    }

    fn number_end(&self, mut at: usize) -> usize {
        loop {
            at = match self.byte(at) {
                b'e' | b'E' | b'p' | b'P' if matches!(self.byte(at + 1), b'+' | b'-') => at + 2,
                b'\'' if is_ident_continue(self.byte(at + 1)) => at + 2,
                byte if byte == b'.' || is_ident_continue(byte) => at + 1,
                _ => return at,
            }
        }
    }

    fn ident_end(&self, at: usize) -> usize {
        self.skip(at, class::IDENT)
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

    /// End of a raw string whose opening quote is at `quote`. A delimiter that is not one (over 16 bytes, blanks) makes it a plain string.
    fn raw_string_end(&self, quote: usize) -> usize {
        let after = &self.bytes[quote + 1..];
        let delimiter_len = after.iter().take(17).position(|&byte| {
            matches!(
                byte,
                b'(' | b')' | b'\\' | b'"' | b' ' | b'\t' | b'\n' | b'\r'
            )
        });
        match delimiter_len {
            Some(len) if after[len] == b'(' => {
                let closing = [b")", &after[..len], b"\""].concat();
                let found = memchr::memmem::find(&after[len + 1..], &closing);
                found.map_or(self.bytes.len(), |found| {
                    self.literal_suffix_end(quote + 1 + len + 1 + found + closing.len())
                })
            }
            _ => self.literal_end(quote, b'"'),
        }
    }

    fn header_name(&self, at: usize) -> (TokenKind, usize) {
        let line = &self.bytes[at..];
        match memchr::memchr3(b'>', b'\n', b'\r', line) {
            Some(found) if line[found] == b'>' => (TokenKind::HeaderName, at + found + 1),
            _ => (TokenKind::Punct, at + 1),
        }
    }

    fn operator_len(&self, at: usize) -> usize {
        let two = [self.byte(at), self.byte(at + 1)];
        let joined = matches!(
            &two,
            b"::"
                | b"->"
                | b"##"
                | b"=="
                | b"!="
                | b"<="
                | b">="
                | b"&&"
                | b"||"
                | b"+="
                | b"-="
                | b"*="
                | b"/="
                | b"%="
                | b"&="
                | b"|="
                | b"^="
                | b"++"
                | b"--"
        );
        1 + usize::from(joined)
    }

    /// Flags of the token just scanned; moves the line and directive state on.
    #[inline]
    fn flags_and_advance(&mut self, kind: TokenKind, start: usize, end: usize) -> u8 {
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

fn directive_named(name: &[u8]) -> Directive {
    match name {
        b"include" | b"include_next" | b"import" => Directive::Include,
        b"define" => Directive::Define,
        _ => Directive::Other,
    }
}

/// Whether a byte can continue an identifier; bytes above ASCII can, as UTF-8 and as Latin-1.
pub(crate) fn is_ident_continue(byte: u8) -> bool {
    is(byte, class::IDENT)
}

#[cfg(test)]
mod tests {
    use super::*;

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
