use crate::text::TextRange;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum TokenKind {
    /// Identifier or keyword.
    Ident,
    /// Preprocessing number, digit separators and suffix included.
    Number,
    /// String literal with its prefix and user-defined suffix.
    Str,
    /// Raw string literal.
    RawStr,
    /// Character literal.
    Char,
    /// Punctuation: one byte, or one of the two-byte operators; `<` and `>` always stand alone.
    Punct,
    /// `<path>` of an include directive.
    HeaderName,
    /// `// …`, line splices included.
    LineComment,
    /// `/* … */`, also when unterminated.
    BlockComment,
    /// Blanks, line splices, a byte order mark.
    Space,
    /// `\n`, `\r\n` or a lone `\r`.
    Newline,
    /// A byte that starts no token of C++ (a NUL, a stray backslash).
    Unknown,
}

/// A token: where it lies, what it is, and flags about its surroundings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// First byte.
    pub start: u32,
    /// Length in bytes, at least 1.
    pub len: u32,
    /// What it is.
    pub kind: TokenKind,
    /// Bit set of [`flags`].
    pub flags: u8,
}

/// Bits of [`Token::flags`].
pub mod flags {
    /// Part of a preprocessor directive.
    pub const DIRECTIVE: u8 = 1;
    /// Part of the replacement list of a `#define`.
    pub const MACRO_BODY: u8 = 2;
    /// White space or a comment stands before it.
    pub const SPACE_BEFORE: u8 = 4;
    /// First token on its line.
    pub const LINE_START: u8 = 8;
}

impl Token {
    /// The bytes it covers.
    pub fn range(&self) -> TextRange {
        TextRange::new(self.start, self.start + self.len)
    }

    /// One past its last byte.
    pub fn end(&self) -> u32 {
        self.start + self.len
    }

    /// Whether a flag of [`flags`] is set.
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Whether rules see it: neither white space nor comment.
    pub fn is_significant(&self) -> bool {
        !matches!(
            self.kind,
            TokenKind::Space
                | TokenKind::Newline
                | TokenKind::LineComment
                | TokenKind::BlockComment
        )
    }
}
