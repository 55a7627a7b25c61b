use lsp_types::{Position, Range};

use crate::text::{SourceFile, TextRange};

/// A byte offset as the protocol counts: lines from 0, columns in UTF-16 code units.
pub(super) fn position(source: &SourceFile, offset: u32) -> Position {
    let at = source.line_col(offset);
    let start = (offset - (at.column - 1)) as usize;
    let before = String::from_utf8_lossy(&source.bytes[start..offset as usize]);
    Position::new(at.line - 1, before.encode_utf16().count() as u32)
}

/// A range of bytes as the protocol counts.
pub(super) fn range(source: &SourceFile, range: TextRange) -> Range {
    Range::new(position(source, range.start), position(source, range.end))
}

/// The byte offset of a position; one behind the end of its line is the line's end.
pub(super) fn offset(source: &SourceFile, position: Position) -> u32 {
    let number = position.line.saturating_add(1);
    let line = source.line(number);
    let text = String::from_utf8_lossy(line);
    let (mut units, mut bytes) = (0, 0);
    for character in text.chars() {
        if units >= position.character {
            break;
        }
        units += character.len_utf16() as u32;
        bytes += character.len_utf8();
    }
    let start = source
        .lines()
        .line_start(number)
        .unwrap_or(source.bytes.len() as u32);
    start + bytes.min(line.len()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_utf16_units() {
        let source = SourceFile::new("a.cu", "x\n/* 𝄞é */ cudaFree".as_bytes().to_vec());
        let at = source.bytes.len() as u32 - 8;
        assert_eq!(position(&source, at), Position::new(1, 10));
        assert_eq!(offset(&source, Position::new(1, 10)), at);
        for behind in [
            Position::new(1, 999),
            Position::new(u32::MAX, 0),
            Position::new(u32::MAX, u32::MAX),
        ] {
            assert_eq!(offset(&source, behind), source.bytes.len() as u32);
        }
    }
}
