use serde::Serialize;

/// A half-open range of byte offsets into one source file, `start <= end`.
///
/// Offsets are 32 bits wide: files of 4 GiB and more are refused when they are read.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    schemars::JsonSchema,
)]
pub struct TextRange {
    /// First byte of the range.
    pub start: u32,
    /// One past the last byte of the range.
    pub end: u32,
}

impl TextRange {
    /// The range `start..end`.
    ///
    /// # Panics
    /// When `start > end`: such a range is a bug of the caller.
    #[inline]
    pub fn new(start: u32, end: u32) -> Self {
        assert!(start <= end, "a range runs forwards: {start}..{end}");
        Self { start, end }
    }

    /// The empty range at `offset`: an insertion point.
    pub fn at(offset: u32) -> Self {
        Self {
            start: offset,
            end: offset,
        }
    }

    /// Length in bytes.
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether the range covers no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `other` lies within this range.
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the byte at `offset` lies within this range.
    pub(crate) fn contains_offset(self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }

    /// The smallest range that covers both.
    pub fn cover(self, other: Self) -> Self {
        Self {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// The range as a slice index.
    #[inline]
    pub fn as_usize(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}
