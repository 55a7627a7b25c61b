//! Changes of a document as an editor sends them: pieces of it, one after the other, or all of it.

use lsp_types::TextDocumentContentChangeEvent;

use super::place;
use crate::text::{SourceFile, TextRange};

/// The text after its changes.
pub(super) fn changed(mut text: Vec<u8>, changes: Vec<TextDocumentContentChangeEvent>) -> Vec<u8> {
    for change in changes {
        let Some(range) = change.range else {
            text = change.text.into_bytes();
            continue;
        };
        // Each change counts lines as those before it left them.
        let source = SourceFile::new("", text);
        let start = place::offset(&source, range.start);
        let end = place::offset(&source, range.end).max(start);
        text = source.bytes;
        text.splice(start as usize..end as usize, change.text.into_bytes());
    }
    text
}

/// The one edit that makes a text of a source: what stands between their common start and end.
pub(super) fn difference(source: &SourceFile, text: &[u8]) -> (TextRange, String) {
    let old = source.bytes.as_slice();
    let is_start = |at: usize| old.get(at).is_none_or(|byte| byte & 0xc0 != 0x80);
    let same =
        |pairs: &mut dyn Iterator<Item = (&u8, &u8)>| pairs.take_while(|(a, b)| a == b).count();
    let mut start = same(&mut old.iter().zip(text));
    while !is_start(start) {
        start -= 1;
    }
    let room = old.len().min(text.len()) - start;
    let mut end = same(&mut old.iter().rev().zip(text.iter().rev())).min(room);
    while !is_start(old.len() - end) {
        end -= 1;
    }
    let range = TextRange::new(start as u32, (old.len() - end) as u32);
    let new = String::from_utf8_lossy(&text[start..text.len() - end]);
    (range, new.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_types::{Position, Range};

    fn piece(start: (u32, u32), end: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
        let range = Range::new(Position::new(start.0, start.1), Position::new(end.0, end.1));
        TextDocumentContentChangeEvent {
            range: Some(range),
            range_length: None,
            text: text.to_owned(),
        }
    }

    #[test]
    fn pieces_are_put_in_one_after_the_other() {
        let changes = vec![
            piece((0, 3), (0, 5), "é\n"),
            piece((1, 0), (1, 1), ""),
            piece((9, 9), (9, 9), "end"),
        ];
        let text = changed("a𝄞bc\r\n".as_bytes().to_vec(), changes);
        assert_eq!(String::from_utf8_lossy(&text), "a𝄞é\n\r\nend");
    }

    #[test]
    fn the_difference_makes_one_of_the_other() {
        for (old, new) in [
            ("aé", "aè"),
            ("", "x"),
            ("abab", "ab"),
            ("ab", "abab"),
            ("éé", "é"),
        ] {
            let source = SourceFile::new("", old.as_bytes().to_vec());
            let (range, text) = difference(&source, new.as_bytes());
            let mut made = source.bytes.clone();
            made.splice(range.start as usize..range.end as usize, text.into_bytes());
            assert_eq!(made, new.as_bytes(), "{old} {new}");
            assert!(
                old.is_char_boundary(range.start as usize)
                    && old.is_char_boundary(range.end as usize)
            );
        }
    }
}
