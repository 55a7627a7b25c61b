//! Where a token ends that begins at a place.

use super::class::{self, is};
use super::{Lexer, is_ident_continue};
use crate::syntax::token::TokenKind;

impl Lexer<'_> {
    pub(super) fn skip_blanks(&self, at: usize) -> usize {
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
    pub(super) fn splice_at(&self, at: usize) -> Option<usize> {
        let end = self.skip_blanks(at + 1);
        match self.byte(end) {
            b'\n' => Some(end + 1),
            b'\r' => Some(end + 1 + usize::from(self.byte(end + 1) == b'\n')),
            _ => None,
        }
    }

    /// The line end that ends the logical line, not included: spliced lines belong to it.
    pub(super) fn logical_line_end(&self, mut at: usize) -> usize {
        while let Some(found) = memchr::memchr3(b'\n', b'\r', b'\\', &self.bytes[at..]) {
            at += found;
            if self.bytes[at] != b'\\' {
                return at;
            }
            at = self.splice_at(at).unwrap_or(at + 1);
        }
        self.bytes.len()
    }

    pub(super) fn block_comment_end(&self, at: usize) -> usize {
        memchr::memmem::find(&self.bytes[at + 2..], b"*/")
            .map_or(self.bytes.len(), |found| at + 2 + found + 2)
    }

    /// End of a string or character literal that opens at `at`; an unterminated one ends with its line.
    pub(super) fn literal_end(&self, at: usize, quote: u8) -> usize {
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

    pub(super) fn number_end(&self, mut at: usize) -> usize {
        loop {
            at = match self.byte(at) {
                b'e' | b'E' | b'p' | b'P' if matches!(self.byte(at + 1), b'+' | b'-') => at + 2,
                b'\'' if is_ident_continue(self.byte(at + 1)) => at + 2,
                byte if byte == b'.' || is_ident_continue(byte) => at + 1,
                _ => return at,
            }
        }
    }

    pub(super) fn ident_end(&self, at: usize) -> usize {
        self.skip(at, class::IDENT)
    }

    /// End of a raw string whose opening quote is at `quote`. A delimiter that is not one (over 16 bytes, blanks) makes it a plain string.
    pub(super) fn raw_string_end(&self, quote: usize) -> usize {
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

    pub(super) fn header_name(&self, at: usize) -> (TokenKind, usize) {
        let line = &self.bytes[at..];
        match memchr::memchr3(b'>', b'\n', b'\r', line) {
            Some(found) if line[found] == b'>' => (TokenKind::HeaderName, at + found + 1),
            _ => (TokenKind::Punct, at + 1),
        }
    }

    pub(super) fn operator_len(&self, at: usize) -> usize {
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
}
