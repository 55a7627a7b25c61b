//! Line numbers of the original in a translation: a `#line` behind each edit that added or took lines, so that messages of the
//! compiler, `__LINE__` and debug information name the line that the person wrote.

use crate::edit::EditSet;
use crate::syntax::{Document, TokenKind, lex};
use crate::text::SourceFile;

/// The translation with its line numbers put right.
pub(super) fn with_lines(source: &SourceFile, output: &[u8], edits: &EditSet) -> Vec<u8> {
    // A generated source that names lines of its own knows better.
    let names_lines = source.mentions("#line");
    if names_lines || edits.iter().all(|edit| lines_added(source, edit) == 0) {
        return output.to_vec();
    }
    let mut result = Vec::with_capacity(output.len() + 64);
    let mut done = 0;
    for (at, line) in marks(source, edits) {
        let at = at.min(output.len());
        result.extend_from_slice(&output[done..at]);
        result.extend_from_slice(format!("#line {line}\n").as_bytes());
        done = at;
    }
    result.extend_from_slice(&output[done..]);
    result
}

/// How many lines an edit adds.
fn lines_added(source: &SourceFile, edit: &crate::edit::Edit) -> i64 {
    let count = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count() as i64;
    count(edit.content.as_bytes()) - count(source.slice(edit.range))
}

/// Where marks go in the output, and the line that begins there: at the next line behind each edit that shifts lines, and behind the
/// conditional directives after it, since a mark in a branch that is not taken counts for nothing.
fn marks(source: &SourceFile, edits: &EditSet) -> Vec<(usize, u32)> {
    let document = Document::new(source);
    let conditionals: Vec<u32> = document
        .directives
        .iter()
        .filter(|directive| directive.kind.is_of_group())
        .map(|directive| directive.range.end)
        .collect();
    let ends = line_ends(source);
    let first_shift = edits.iter().find(|edit| lines_added(source, edit) != 0);
    let start = first_shift.map_or(u32::MAX, |edit| edit.range.start);
    let shifted = edits.iter().filter(|edit| lines_added(source, edit) != 0);
    let wanted = shifted
        .map(|edit| edit.range.end)
        .chain(conditionals.into_iter().filter(|end| *end >= start));
    let next_end = |offset: u32| {
        let at = ends.partition_point(|end| *end < offset);
        ends.get(at).copied()
    };
    // An insertion at the start of a line shifts that line itself.
    let starts_line = |offset: u32| {
        let before = offset.checked_sub(1);
        before.is_none_or(|before| ends.binary_search(&before).is_ok())
    };
    let place = |offset: u32| match starts_line(offset) {
        true => Some(offset),
        false => next_end(offset).map(|end| end + 1),
    };
    let is_within = |offset: u32| {
        edits
            .iter()
            .any(|edit| edit.range.start < offset && offset < edit.range.end)
    };
    let mut places: Vec<u32> = wanted
        .filter_map(place)
        .filter(|at| !is_within(*at))
        .collect();
    places.sort_unstable();
    places.dedup();
    let mark = |at: u32| {
        let line = source.line_col(at).line;
        (mapped(edits, at), line)
    };
    places.into_iter().map(mark).collect()
}

/// Where a byte of the source lies in the output, behind what is inserted in front of it.
fn mapped(edits: &EditSet, offset: u32) -> usize {
    let before = edits.iter().take_while(|edit| edit.range.end <= offset);
    let shift: i64 = before
        .map(|edit| edit.content.len() as i64 - i64::from(edit.range.len()))
        .sum();
    (i64::from(offset) + shift) as usize
}

/// Line ends that end a line of code: none in comments, literals, or behind a backslash.
fn line_ends(source: &SourceFile) -> Vec<u32> {
    lex(&source.bytes)
        .filter(|token| token.kind == TokenKind::Newline)
        .map(|token| token.end() - 1)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{Applicability, Edit, Fix, apply};

    /// The text with insertions, and the line that each of its lines says to be, `#line` regarded.
    fn numbered(text: &str, edits: Vec<Edit>) -> Vec<(usize, String)> {
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let fix = Fix::safe(edits);
        let edits = EditSet::resolve(&[(0, Some(&fix))], Applicability::Safe).edits;
        let output = with_lines(&source, &apply(&source.bytes, &edits), &edits);
        let (mut line, mut found) = (1, Vec::new());
        for text in String::from_utf8(output).unwrap().lines() {
            match text.strip_prefix("#line ") {
                Some(number) => line = number.parse().unwrap(),
                None => {
                    found.push((line, text.to_owned()));
                    line += 1;
                }
            }
        }
        found
    }

    #[test]
    fn lines_keep_their_numbers_behind_insertions_and_deletions() {
        let text = "a\nb\n#define M(x) \\\n  x\nc /* 1\n 2 */ d\ne\n";
        let at = |word: &str| text.find(word).unwrap() as u32;
        let edits = vec![
            Edit::insert(0, "#include <x>\n#include <y>\n"),
            Edit::replace(crate::text::TextRange::new(at("x) "), at("x) ") + 1), "y"),
            Edit::insert(at("c /*"), "new\n"),
            Edit::replace(
                crate::text::TextRange::new(at("d\n"), at("d\n") + 1),
                "d\nd",
            ),
        ];
        let found = numbered(text, edits);
        for (line, word) in [
            (1, "a"),
            (2, "b"),
            (4, "  x"),
            (5, "c /* 1"),
            (6, " 2 */ d"),
            (7, "e"),
        ] {
            assert!(
                found.contains(&(line, word.to_owned())),
                "{word}: {found:?}"
            );
        }
    }
}
