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

/// A token: where it lies, what it is, and flags about its surroundings. Eight bytes, as a file has one for every four of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// First byte.
    pub start: u32,
    /// The lower bits of the length.
    len: u16,
    /// What it is.
    pub kind: TokenKind,
    /// Bit set of [`flags`] below, the upper bits of the length above.
    bits: u8,
}

/// Bits that [`Token::has`] asks for.
pub mod flags {
    /// Part of a preprocessor directive.
    pub(crate) const DIRECTIVE: u8 = 1;
    /// Part of the replacement list of a `#define`.
    pub(crate) const MACRO_BODY: u8 = 2;
    /// White space or a comment stands before it.
    pub(crate) const SPACE_BEFORE: u8 = 4;
    /// First token on its line.
    pub(crate) const LINE_START: u8 = 8;
}

impl Token {
    /// The most bytes that a token has; what is longer is cut.
    pub(crate) const LONGEST: usize = (1 << 20) - 1;

    /// A token of `len` bytes, at most [`Self::LONGEST`].
    #[inline]
    pub(super) fn new(start: usize, len: usize, kind: TokenKind, flags: u8) -> Self {
        debug_assert!((1..=Self::LONGEST).contains(&len) && flags < 16);
        Self {
            start: start as u32,
            len: len as u16,
            kind,
            bits: flags | ((len >> 16) << 4) as u8,
        }
    }

    /// The token, so many bytes further on.
    pub fn moved(self, by: u32) -> Self {
        Self {
            start: self.start + by,
            ..self
        }
    }

    /// Length in bytes, at least 1.
    #[inline]
    pub fn size(&self) -> u32 {
        u32::from(self.len) | u32::from(self.bits >> 4) << 16
    }

    /// The bytes it covers.
    #[inline]
    pub fn range(&self) -> TextRange {
        TextRange::new(self.start, self.end())
    }

    /// One past its last byte.
    #[inline]
    pub fn end(&self) -> u32 {
        self.start + self.size()
    }

    /// Whether a flag of [`flags`] is set.
    #[inline]
    pub fn has(&self, flag: u8) -> bool {
        self.bits & flag != 0
    }

    /// Whether rules see it: neither white space nor comment.
    #[inline]
    pub(crate) fn is_significant(&self) -> bool {
        self.kind.is_significant()
    }
}

impl TokenKind {
    /// Whether it is neither white space nor comment.
    #[inline]
    pub(crate) fn is_significant(self) -> bool {
        !matches!(
            self,
            Self::Space | Self::Newline | Self::LineComment | Self::BlockComment
        )
    }
}
