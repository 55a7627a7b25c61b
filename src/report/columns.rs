//! Columns in code points and UTF-16 code units, from byte offsets. Knows nothing of findings.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::model::Columns;
use crate::text::{SourceFile, TextRange};

/// Counts the columns of one file. What was counted of a line is kept, since a line of generated code may have thousands of findings.
pub(super) struct Counter<'s> {
    source: &'s SourceFile,
    is_ascii: bool,
    /// By offset, the columns there: places where an ASCII character begins, so that counting can go on from them.
    known: RefCell<BTreeMap<u32, (u32, u32)>>,
}

/// Bytes of a line behind which a place is kept.
const FAR: u32 = 256;

impl<'s> Counter<'s> {
    pub(super) fn new(source: &'s SourceFile) -> Self {
        Self {
            source,
            is_ascii: source.bytes.is_ascii(),
            known: RefCell::default(),
        }
    }

    /// The file.
    pub(super) fn source(&self) -> &'s SourceFile {
        self.source
    }

    /// The columns at which a range starts and ends.
    pub(super) fn columns(&self, range: TextRange) -> Columns {
        let ((start, start16), (end, end16)) = (self.of(range.start), self.of(range.end));
        Columns {
            chars: (start, end),
            utf16: (start16, end16),
        }
    }

    /// 1-based column of an offset in code points and in UTF-16 code units.
    fn of(&self, offset: u32) -> (u32, u32) {
        let at = self.source.line_col(offset);
        if self.is_ascii {
            return (at.column, at.column);
        }
        let start = offset + 1 - at.column;
        let known = self
            .known
            .borrow()
            .range(start..=offset)
            .next_back()
            .map(|(at, columns)| (*at, *columns));
        let (from, (chars, units)) = known.unwrap_or((start, (1, 1)));
        let text = String::from_utf8_lossy(&self.source.bytes[from as usize..offset as usize]);
        let columns = (
            chars + text.chars().count() as u32,
            units + text.chars().map(char::len_utf16).sum::<usize>() as u32,
        );
        let begins_character = self
            .source
            .bytes
            .get(offset as usize)
            .is_some_and(u8::is_ascii);
        if offset - from > FAR && begins_character {
            self.known.borrow_mut().insert(offset, columns);
        }
        columns
    }
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
        let found = Counter::new(&source).columns(TextRange::new(at, at + 1));
        assert_eq!(found.chars, (10, 11));
        assert_eq!(found.utf16, (11, 12));
    }

    #[test]
    fn bytes_that_are_not_utf8_count_as_their_replacement() {
        let source = SourceFile::new("a.cu", b"/* \xfc */ f();\n".to_vec());
        let found = Counter::new(&source).columns(TextRange::new(8, 9));
        assert_eq!(found.chars, (9, 10));
        assert_eq!(found.utf16, (9, 10));
    }

    #[test]
    fn what_is_kept_changes_no_column() {
        let text = "ab é /* \u{1f600} */ f(\"\u{fc}\"); "
            .repeat(200)
            .into_bytes();
        let text = [text, b"\xff\xc3 g();\n".to_vec()].concat();
        let source = SourceFile::new("a.cu", text);
        let counter = Counter::new(&source);
        for offset in (0..source.bytes.len() as u32)
            .rev()
            .chain(0..source.bytes.len() as u32)
        {
            let fresh = Counter::new(&source).of(offset);
            assert_eq!(counter.of(offset), fresh, "{offset}");
        }
        assert!(counter.known.borrow().len() > 4);
    }
}
