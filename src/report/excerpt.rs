//! The lines of the source around a finding, cut out while the source is at hand: what is printed later never sees a document.

use std::ops::Range;

use crate::diagnostic::Judged;
use crate::edit::Edit;
use crate::text::{SourceFile, TextRange};

/// Lines of a finding that are shown; of a longer one, the first.
const MOST_LINES: u32 = 6;
/// Bytes of a line that are kept; of a longer one, the part around the finding.
const LONGEST: usize = 400;

/// A few lines of a source and the places in them that are marked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The lines, without line ends of the source's own kind; what is not UTF-8 is replaced.
    pub text: String,
    /// Number of the first line, from 1.
    pub first_line: usize,
    /// The finding itself.
    pub place: Range<usize>,
    /// Other places that it is about.
    pub labels: Vec<(Range<usize>, String)>,
    /// What its fix would write here.
    pub patches: Vec<(Range<usize>, String)>,
    /// Labels and edits that lie elsewhere are not in these lines.
    pub is_whole: bool,
}

impl Excerpt {
    /// The lines of a finding with a line before and behind it.
    pub(super) fn new(source: &SourceFile, judged: &Judged) -> Self {
        let (start, end) = (
            source.line_col(judged.range().start).line,
            source.line_col(judged.range().end).line,
        );
        let last = end.min(start + MOST_LINES - 1);
        let cut = Cut::new(source, start, last, judged.range().start);
        let place = cut.range(source, judged.range()).unwrap_or_default();
        let labels = judged.labels();
        let found: Vec<_> = labels
            .map(|label| {
                Some((
                    cut.range(source, label.range)?,
                    label.message.clone().into_owned(),
                ))
            })
            .collect();
        let edits = judged.fix().into_iter().flat_map(|fix| &fix.edits);
        let patches: Vec<_> = edits.map(|edit| cut.patch(source, edit)).collect();
        Self {
            place,
            is_whole: found.iter().all(Option::is_some) && patches.iter().all(Option::is_some),
            labels: found.into_iter().flatten().collect(),
            patches: patches.into_iter().flatten().collect(),
            text: cut.text,
            first_line: cut.lines.first().map_or(1, |line| line.number as usize),
        }
    }
}

/// Lines that were cut out, and where each stands in the text.
struct Cut {
    text: String,
    lines: Vec<Line>,
}

struct Line {
    number: u32,
    /// Where it begins in the text.
    at: usize,
    /// Bytes of the source line before the part that is kept.
    skipped: usize,
    /// Bytes of the source line that are kept.
    kept: usize,
}

impl Cut {
    fn new(source: &SourceFile, start: u32, last: u32, offset: u32) -> Self {
        let column = source.line_col(offset).column as usize - 1;
        let is_long = (start..=last).any(|number| source.line(number).len() > LONGEST);
        let is_blank = |number: u32| source.line(number).trim_ascii().is_empty();
        let is_short = |number: u32| source.line(number).len() <= LONGEST / 2;
        let beside = |number: u32| !is_long && !is_blank(number) && is_short(number);
        let from = if start > 1 && beside(start - 1) {
            start - 1
        } else {
            start
        };
        let till = if beside(last + 1) { last + 1 } else { last };
        let numbers = if is_long { start..=start } else { from..=till };
        let mut cut = Self {
            text: String::new(),
            lines: Vec::new(),
        };
        for number in numbers {
            let line = source.line(number);
            let kept = if is_long {
                window(line, column)
            } else {
                0..line.len()
            };
            if !cut.text.is_empty() {
                cut.text.push('\n');
            }
            cut.lines.push(Line {
                number,
                at: cut.text.len(),
                skipped: kept.start,
                kept: kept.len(),
            });
            cut.text.push_str(&String::from_utf8_lossy(&line[kept]));
        }
        cut
    }

    /// Where a range of the source stands in the text; what begins here and ends below goes to the end. `None` when it begins elsewhere.
    fn range(&self, source: &SourceFile, range: TextRange) -> Option<Range<usize>> {
        let start = self.place(source, range.start)?;
        let end = self.place(source, range.end).unwrap_or(self.text.len());
        Some(start..end.max(start))
    }

    fn place(&self, source: &SourceFile, offset: u32) -> Option<usize> {
        let at = source.line_col(offset);
        let line = self.lines.iter().find(|line| line.number == at.line)?;
        let bytes = source.line(at.line);
        let column = (at.column as usize - 1).min(bytes.len());
        let within = column.checked_sub(line.skipped)?.min(line.kept);
        let before = &bytes[line.skipped..line.skipped + within];
        let place = line.at + String::from_utf8_lossy(before).len();
        self.text.is_char_boundary(place).then_some(place)
    }

    /// An edit within these lines, whole.
    fn patch(&self, source: &SourceFile, edit: &Edit) -> Option<(Range<usize>, String)> {
        let start = self.place(source, edit.range.start)?;
        let end = self.place(source, edit.range.end)?;
        Some((start..end, edit.content.clone().into_owned()))
    }
}

/// The part of a long line around a column, from the start of a character to the start of another.
fn window(line: &[u8], column: usize) -> Range<usize> {
    let is_start = |at: &usize| line.get(*at).is_none_or(|byte| byte & 0xc0 != 0x80);
    let column = column.min(line.len());
    let from = column.saturating_sub(LONGEST / 4);
    let from = (from..=column).find(is_start).unwrap_or(column);
    let till = (from + LONGEST).min(line.len());
    let till = (column..=till).rev().find(is_start).unwrap_or(till);
    from..till
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Finding, Judged, Severity};

    fn excerpt(text: &[u8], start: u32, end: u32) -> Excerpt {
        let source = SourceFile::new("a.cu", text.to_vec());
        let finding = Finding::new("CASS003", Severity::Error, TextRange::new(start, end), "m");
        Excerpt::new(&source, &Judged::new(finding))
    }

    #[test]
    fn a_finding_comes_with_its_neighbours() {
        let found = excerpt(b"a\r\nbb f(\r\n  x)\r\nc\r\nd\r\n", 6, 14);
        assert_eq!(found.text, "a\nbb f(\n  x)\nc");
        assert_eq!(
            (found.first_line, &found.text[found.place]),
            (1, "f(\n  x)")
        );
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let line = format!("x\n{}é f();{}\ny", "a".repeat(3001), "é".repeat(3000));
        let at = line.find('f').expect("it is there") as u32;
        let found = excerpt(line.as_bytes(), at, at + 1);
        assert!(found.text.len() <= LONGEST && found.first_line == 2);
        assert_eq!(&found.text[found.place], "f");
    }

    #[test]
    fn what_is_no_text_is_replaced_and_places_stay_right() {
        let found = excerpt(b"\xff\xfe f();", 3, 4);
        assert_eq!(&found.text[found.place.clone()], "f");
    }
}
