//! Columns in code points and UTF-16 code units, from byte offsets. Knows nothing of findings.

use super::model::Columns;
use crate::text::{SourceFile, TextRange};

/// The columns at which a range starts and ends.
pub(super) fn columns(source: &SourceFile, range: TextRange) -> Columns {
    let ((start, start16), (end, end16)) = (of(source, range.start), of(source, range.end));
    Columns {
        chars: (start, end),
        utf16: (start16, end16),
    }
}

/// 1-based column of an offset in code points and in UTF-16 code units.
fn of(source: &SourceFile, offset: u32) -> (u32, u32) {
    let at = source.line_col(offset);
    let start = (offset + 1 - at.column) as usize;
    let before = &source.bytes[start..offset as usize];
    if before.is_ascii() {
        return (at.column, at.column);
    }
    let text = String::from_utf8_lossy(before);
    let count = |width: fn(char) -> usize| 1 + text.chars().map(width).sum::<usize>() as u32;
    (count(|_| 1), count(char::len_utf16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_code_points_and_utf16_units() {
        let source = SourceFile::new("a.cu", "x\n/* é😀 */ f();\n".as_bytes().to_vec());
        let at = source
            .bytes
            .iter()
            .position(|&byte| byte == b'f')
            .expect("it is there") as u32;
        assert_eq!(source.line_col(at).column, 14);
        let found = columns(&source, TextRange::new(at, at + 1));
        assert_eq!(found.chars, (10, 11));
        assert_eq!(found.utf16, (11, 12));
    }

    #[test]
    fn bytes_that_are_not_utf8_count_as_their_replacement() {
        let source = SourceFile::new("a.cu", b"/* \xfc */ f();\n".to_vec());
        let found = columns(&source, TextRange::new(8, 9));
        assert_eq!(found.chars, (9, 10));
        assert_eq!(found.utf16, (9, 10));
    }
}
