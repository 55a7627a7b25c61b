//! The lines of a file that edits change, in runs that lex as they do within the whole result.

use crate::edit::{Edit, EditSet, apply_within};
use crate::syntax::{Document, Token, TokenKind, lex};
use crate::text::TextRange;

/// Whole lines around neighbouring edits. Outside of these lines, source and result have the same tokens.
pub(super) struct ChangedLines {
    /// Bytes of the source.
    pub(crate) source: TextRange,
    /// What becomes of them.
    text: Vec<u8>,
    /// Where that begins in the result.
    start: u32,
    tokens: Vec<Token>,
}

impl ChangedLines {
    /// The tokens of the text, with offsets of the result.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = (Token, &[u8])> {
        self.tokens.iter().map(|token| {
            let text = &self.text[token.range().as_usize()];
            (token.moved(self.start), text)
        })
    }

    /// Whether what comes behind lexes as it did before: the last token ends a line, so none reaches further.
    fn ends_cleanly(&self) -> bool {
        let last = self.tokens.last();
        last.is_none_or(|token| token.kind == TokenKind::Newline)
    }
}

/// The changed lines of a file, in order.
pub(super) fn changed_lines<'d>(
    document: &'d Document<'_>,
    edits: &'d EditSet,
) -> impl Iterator<Item = ChangedLines> {
    let mut rest = edits.as_slice();
    std::iter::from_fn(move || {
        let first = rest.first()?;
        let start = line_before(document, first.range.start);
        let end = line_from(document, first.range.end);
        let (lines, taken) = grown_to_clean_end(document, rest, TextRange::new(start, end), edits);
        rest = &rest[taken..];
        Some(lines)
    })
}

/// The fewest lines from `range.start` that reach `range.end` and ends cleanly, and how many edits lie in it.
fn grown_to_clean_end(
    document: &Document<'_>,
    edits: &[Edit],
    mut range: TextRange,
    all: &EditSet,
) -> (ChangedLines, usize) {
    let source = &document.source.bytes;
    let mut taken = 1;
    loop {
        while let Some(edit) = edits.get(taken)
            && edit.range.start < range.end
        {
            // Within a line that is in already there is nothing to look for: it may be as long as the file.
            if edit.range.end > range.end {
                range.end = line_from(document, edit.range.end);
            }
            taken += 1;
        }
        let mut text = Vec::new();
        apply_within(source, range, &edits[..taken], &mut text);
        let lines = ChangedLines {
            source: range,
            tokens: lex(&text).collect(),
            text,
            start: output_start(range.start, &edits[..taken], all),
        };
        if range.end as usize == source.len() || lines.ends_cleanly() {
            return (lines, taken);
        }
        range.end = line_from(document, range.end + range.len().max(1));
    }
}

/// Where lines of the source, which start at `start` and have the edits `inside`, begins in the result.
pub(super) fn output_start(start: u32, inside: &[Edit], all: &EditSet) -> u32 {
    // The first edits may stand where the lines start: their text belongs to it.
    all.map_offset(start) - inserted_at(start, inside)
}

/// How many bytes edits insert at an offset.
fn inserted_at(offset: u32, edits: &[Edit]) -> u32 {
    let here = edits
        .iter()
        .take_while(|edit| edit.range == TextRange::at(offset));
    here.map(|edit| edit.content.len() as u32).sum()
}

/// The last start of a line at or before `offset` where the lexer knows nothing of what came before.
fn line_before(document: &Document<'_>, offset: u32) -> u32 {
    let bytes = &document.source.bytes;
    let mut end = offset as usize;
    while let Some(newline) = memchr::memrchr(b'\n', &bytes[..end]) {
        if is_fresh(document, newline) {
            return newline as u32 + 1;
        }
        end = newline;
    }
    0
}

/// The first such start at or behind `offset`, or the end of the file.
fn line_from(document: &Document<'_>, offset: u32) -> u32 {
    let bytes = &document.source.bytes;
    let Some(mut from) = (offset as usize).checked_sub(1) else {
        return 0;
    };
    while let Some(found) = bytes
        .get(from..)
        .and_then(|rest| memchr::memchr(b'\n', rest))
    {
        if is_fresh(document, from + found) {
            return (from + found) as u32 + 1;
        }
        from += found + 1;
    }
    bytes.len() as u32
}

/// Whether the `\n` at an offset is a token of its own: not in a comment or a raw string, not part of a splice.
fn is_fresh(document: &Document<'_>, newline: usize) -> bool {
    let at = newline as u32;
    let reaches = |tokens: &[Token]| {
        let before = tokens.partition_point(|token| token.start <= at);
        tokens[..before]
            .last()
            .is_some_and(|token| token.end() > at)
    };
    let line = &document.source.bytes[..newline];
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c);
    let last = line.iter().rev().find(|byte| !is_blank(byte));
    last != Some(&b'\\') && !reaches(&document.tokens) && !reaches(&document.comments)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{Applicability, Fix, apply};
    use crate::text::SourceFile;

    /// The changed lines of a source with edits `(start, end, text)`, after a look at whether they read as the whole result does.
    fn run(source: &str, edits: &[(u32, u32, &'static str)]) -> Vec<String> {
        let file = SourceFile::new("a.cu", source.as_bytes().to_vec());
        let document = Document::new(&file);
        let fix = Fix::safe(
            edits
                .iter()
                .map(|&(start, end, text)| Edit::replace(TextRange::new(start, end), text))
                .collect(),
        );
        let edits = EditSet::resolve(&[(0, Some(&fix))], Applicability::Safe).edits;
        let result = apply(&file.bytes, &edits);
        let whole: Vec<_> = lex(&result)
            .map(|token| (token.range(), token.kind))
            .collect();
        let found: Vec<ChangedLines> = changed_lines(&document, &edits).collect();
        for lines in &found {
            for (token, text) in lines.tokens() {
                assert!(whole.contains(&(token.range(), token.kind)), "{token:?}");
                assert_eq!(&result[token.range().as_usize()], text);
            }
        }
        let text = |lines: ChangedLines| String::from_utf8(lines.text).unwrap();
        found.into_iter().map(text).collect()
    }

    #[test]
    fn changed_lines_are_the_lines_of_its_edits() {
        assert_eq!(
            run("a;\nb;\nc;\nd;\n", &[(3, 4, "x"), (9, 10, "y")]),
            ["x;\n", "y;\n"]
        );
        assert_eq!(
            run("a;\nb;\n", &[(3, 3, "#include <x>\n")]),
            ["#include <x>\n"]
        );
        assert_eq!(run("a;\nb;\n", &[(3, 3, "x "), (3, 4, "y")]), ["x y;\n"]);
        assert_eq!(run("a;", &[(0, 0, "x\n"), (2, 2, "y")]), ["x\n", "a;y"]);
    }

    #[test]
    fn what_reaches_over_lines_is_not_cut() {
        let spliced = "#define A \\\n  b \\\n  c\nd\n";
        assert_eq!(
            run(spliced, &[(14, 15, "x")]),
            ["#define A \\\n  x \\\n  c\n"]
        );
        let comment = "/* a\n b */ c\nd\n";
        assert_eq!(run(comment, &[(11, 12, "x")]), ["/* a\n b */ x\n"]);
    }

    #[test]
    fn an_edit_that_opens_a_comment_takes_more_lines() {
        let source = "a\nb\nc */ d\ne\nf\n";
        assert_eq!(run(source, &[(0, 1, "/*")]), ["/*\nb\nc */ d\n"]);
    }
}
