//! Offsets, ranges, lines and source files: the vocabulary every other module speaks. Knows nothing of CUDA.

mod command_line;
mod encoding;
pub(crate) mod escapes;
pub mod json;
pub(crate) mod keywords;
mod line_index;
mod nearest;
pub mod number;
pub(crate) mod quoted;
mod range;
mod range_set;
mod source;
pub(crate) mod standard;
mod whole_lines;
mod word_map;

pub(crate) use command_line::{expanded, split_command};
pub use encoding::from_utf16;
pub(crate) use encoding::from_wide;
pub use line_index::{LineCol, LineIndex};
pub use nearest::nearest;
pub use range::TextRange;
pub(crate) use range_set::RangeSet;
pub use source::{BuildTool, Caller, Language, SourceFile};
pub(crate) use source::{
    FIND_CUDA, YamlKind, build_tool, is_cpp, is_of_ci, is_read_by_start, start_to_read,
};
pub(crate) use whole_lines::{line_start, lines_around, next_line, whole_lines};
pub(crate) use word_map::WordMap;

/// Whether a byte belongs to a word of most languages: a letter, a digit, `_`.
pub(crate) fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
