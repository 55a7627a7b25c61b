//! What the records of a port say of a place in it: where it came from, and what the translation said.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::pipeline::{is_output, slashed};
use crate::port::{Hash, Manifest, Notes, Port};
use crate::syntax::Document;
use crate::text::{LineCol, LineIndex, SourceFile};

/// A port and its records.
pub(super) struct Recorded {
    /// Its folder, absolute.
    root: PathBuf,
    known: Manifest,
    notes: Notes,
}

/// A finding of the translation.
#[derive(Debug, schemars::JsonSchema, Serialize)]
pub(super) struct Said {
    pub(super) code: String,
    pub(super) severity: String,
    pub(super) message: String,
    pub(super) help: String,
}

impl Recorded {
    /// What is known of a port.
    pub(super) fn new(root: &Path) -> Self {
        Self {
            root: crate::nvcc::absolute(root),
            known: Port::open(root).known,
            notes: Notes::read(root),
        }
    }

    /// The port that a file lies in, and what the file is called there.
    pub(super) fn around(file: &Path) -> Option<(PathBuf, String)> {
        let file = crate::nvcc::absolute(file);
        let root = file
            .ancestors()
            .skip(1)
            .find(|folder| is_output(folder) || !Notes::read(folder).is_empty())?;
        let name = slashed(file.strip_prefix(root).ok()?);
        Some((root.to_path_buf(), name))
    }

    /// Whether there are records of a translation: without them nobody knows what it said.
    pub(super) fn knows_anything(&self) -> bool {
        !self.known.files.is_empty() || !self.notes.is_empty()
    }

    /// The bytes of a file as they are now; nothing where it is not there.
    pub(super) fn bytes(&self, file: &str) -> Vec<u8> {
        std::fs::read(self.root.join(file)).unwrap_or_default()
    }

    /// The place in the sources; no line where work by hand moved it.
    pub(super) fn source(
        &self,
        file: &str,
        line: u32,
        now: &[u8],
    ) -> Option<(String, Option<u32>)> {
        let record = self.known.files.get(file)?;
        let is_untouched = Hash::of(now) == record.base.hash;
        let line = self
            .notes
            .of(file)
            .map_or(line, |notes| notes.source_line(line));
        (!record.source.is_empty()).then(|| (record.source.clone(), is_untouched.then_some(line)))
    }

    /// What the translation said of a line that is still as it was written.
    pub(super) fn said(&self, file: &str, line: u32, now: &[u8]) -> Vec<Said> {
        self.said_within(file, line..=line, now)
    }

    /// What it said of a place in code: of the line, or else of the lines below that the call there takes up. A compiler points at the
    /// name that is called, and the finding may stand at an argument.
    pub(super) fn said_of_call(&self, file: &str, at: LineCol, now: &[u8]) -> Vec<Said> {
        let said = self.said(file, at.line, now);
        if !said.is_empty() {
            return said;
        }
        let last = last_line_of_call(file, at, now).unwrap_or(at.line);
        self.said_within(file, at.line..=last, now)
    }

    fn said_within(&self, file: &str, lines: RangeInclusive<u32>, now: &[u8]) -> Vec<Said> {
        let open = self
            .notes
            .of(file)
            .map(|notes| notes.open(now))
            .unwrap_or_default();
        let here = open.into_iter().filter(|(first, noted)| {
            *first <= *lines.end() && *lines.start() <= first.saturating_add(noted.more_lines)
        });
        here.map(|(_, noted)| Said {
            code: noted.code.clone(),
            severity: noted.severity.clone(),
            message: noted.message.clone(),
            help: noted.help.clone(),
        })
        .collect()
    }
}

/// The line on which a call ends whose name stands at a place.
fn last_line_of_call(file: &str, at: LineCol, text: &[u8]) -> Option<u32> {
    let (source, lines) = (SourceFile::new(file, text.to_vec()), LineIndex::new(text));
    let doc = Document::new(&source);
    let name = doc.token_at(lines.line_start(at.line)? + at.column.checked_sub(1)?);
    let open = doc.next(name).filter(|&open| doc.is(open, "("))?;
    let close = doc.matching_bracket(open)?;
    Some(lines.line_col(doc.tokens[close].start).line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_ends_where_its_parenthesis_does() {
        let text = b"void f() {\n  g(a,\n    h(b),\r\n    c);\n}\n";
        let last = |line, column| last_line_of_call("a.cpp", LineCol { line, column }, text);
        assert_eq!(last(2, 3), Some(4));
        assert_eq!(last(3, 5), Some(3));
        assert_eq!((last(4, 5), last(9, 1), last(2, 0)), (None, None, None));
    }
}
