//! A file of a port as mends change it. Lines that somebody wrote by hand are not touched.

use std::ops::Range;

/// An edit within one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Splice {
    /// The line, from 1.
    pub(super) line: u32,
    /// The columns that it takes out, from 1, in bytes.
    pub(super) columns: Range<u32>,
    pub(super) text: String,
}

/// A file, its lines with their ends.
#[derive(Clone, Debug)]
pub(crate) struct MendedText {
    lines: Vec<Vec<u8>>,
    /// Whether the translation, or a mend, wrote the line.
    is_open: Vec<bool>,
}

impl MendedText {
    /// A file as it is, with those of its lines, from 0, that the translation wrote.
    pub(crate) fn new(now: &[u8], written: impl IntoIterator<Item = Range<usize>>) -> Self {
        let lines: Vec<Vec<u8>> = now
            .split_inclusive(|byte| *byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect();
        let mut is_open = vec![false; lines.len()];
        for line in written.into_iter().flatten() {
            is_open.get_mut(line).into_iter().for_each(|it| *it = true);
        }
        Self { lines, is_open }
    }

    /// The file as it is with the mends.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.lines.concat()
    }

    /// A line, from 1, without its end; none where it is not there or somebody wrote it by hand.
    pub(super) fn line(&self, line: u32) -> Option<&[u8]> {
        let at = (line as usize).checked_sub(1)?;
        self.is_open.get(at).filter(|is_open| **is_open)?;
        self.any_line(line)
    }

    /// A line, from 1, without its end, whoever wrote it: to be read, not to be mended.
    pub(super) fn any_line(&self, line: u32) -> Option<&[u8]> {
        let line = self.lines.get((line as usize).checked_sub(1)?)?;
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// The lines that somebody wrote by hand, from 1: the first and the last of each piece.
    pub(crate) fn by_hand(&self) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        let closed = self
            .is_open
            .iter()
            .zip(1..)
            .filter(|(is_open, _)| !**is_open);
        for (_, line) in closed {
            match found.last_mut().filter(|(_, last)| *last + 1 == line) {
                Some((_, last)) => *last = line,
                None => found.push((line, line)),
            }
        }
        found
    }

    /// The first line, from 1, that somebody wrote by hand and that is not among those, from 0, that a change keeps.
    pub(crate) fn loses_by_hand(
        &self,
        kept: impl IntoIterator<Item = Range<usize>>,
    ) -> Option<usize> {
        let mut is_kept = self.is_open.clone();
        for line in kept.into_iter().flatten() {
            is_kept.get_mut(line).into_iter().for_each(|it| *it = true);
        }
        is_kept.iter().position(|is_kept| !is_kept).map(|at| at + 1)
    }

    /// What stands in some columns of a line.
    pub(super) fn part(&self, line: u32, columns: &Range<u32>) -> Option<&str> {
        let from = columns.start.checked_sub(1)? as usize;
        let until = columns.end.checked_sub(1)? as usize;
        std::str::from_utf8(self.line(line)?.get(from..until)?).ok()
    }

    /// The line, from 1, above which an include goes: the first `#include` that no `#if` switches, a guard around the file aside.
    pub(super) fn include_line(&self) -> Option<u32> {
        let mut found: Option<(usize, usize)> = None;
        let mut depth = 0_usize;
        for (at, line) in self.lines.iter().enumerate() {
            let line = line.trim_ascii_start();
            let Some(directive) = line.strip_prefix(b"#") else {
                continue;
            };
            let directive = directive.trim_ascii_start();
            if directive.starts_with(b"if") {
                depth += 1;
            } else if directive.starts_with(b"endif") {
                depth = depth.saturating_sub(1);
            } else if directive.starts_with(b"include")
                && found.is_none_or(|(_, least)| depth < least)
            {
                found = Some((at, depth));
            }
        }
        // Deeper than a guard, what is included may be switched off.
        let found = found.filter(|(_, depth)| *depth <= 1);
        found.map(|(at, _)| at as u32 + 1)
    }

    /// Makes edits, none of which overlap, all or none.
    pub(super) fn splice(&mut self, splices: &[Splice]) -> Option<()> {
        let mut ordered: Vec<&Splice> = splices.iter().collect();
        ordered.sort_by_key(|it| (it.line, it.columns.start, it.columns.end));
        let overlap = ordered.windows(2).any(|pair| {
            pair[0].line == pair[1].line && pair[0].columns.end > pair[1].columns.start
        });
        let is_there = |it: &&Splice| {
            let end = self.line(it.line).map_or(0, <[u8]>::len) as u32 + 1;
            self.line(it.line).is_some()
                && it.columns.start > 0
                && it.columns.start <= it.columns.end
                && it.columns.end <= end
        };
        if overlap || !ordered.iter().all(is_there) {
            return None;
        }
        for splice in ordered.into_iter().rev() {
            let line = self.lines.get_mut(splice.line as usize - 1)?;
            let columns = splice.columns.start as usize - 1..splice.columns.end as usize - 1;
            line.splice(columns, splice.text.bytes());
        }
        Some(())
    }

    /// Puts a line above another, with its end.
    pub(super) fn insert(&mut self, line: u32, text: &str) {
        let at = (line as usize - 1).min(self.lines.len());
        let end: &[u8] = match self.lines.first() {
            Some(first) if first.ends_with(b"\r\n") => b"\r\n",
            _ => b"\n",
        };
        self.lines.insert(at, [text.as_bytes(), end].concat());
        self.is_open.insert(at, true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn splice(line: u32, columns: Range<u32>, text: &str) -> Splice {
        Splice {
            line,
            columns,
            text: text.to_owned(),
        }
    }

    #[test]
    fn lines_by_hand_stay() {
        let mut text = MendedText::new(b"a\nmine\nc d\n", [0..1, 2..3]);
        assert_eq!(text.line(2), None);
        assert_eq!(text.splice(&[splice(2, 1..2, "x")]), None);
        let both = [splice(3, 3..4, "x"), splice(3, 1..1, "y ")];
        assert_eq!(text.splice(&both), Some(()));
        assert_eq!(text.bytes(), b"a\nmine\ny c x\n");
        assert_eq!(text.splice(&[splice(3, 1..9, "")]), None);
        assert_eq!(
            text.splice(&[splice(3, 1..3, ""), splice(3, 2..4, "")]),
            None
        );
    }

    #[test]
    fn a_change_may_take_what_the_translation_wrote() {
        let text = MendedText::new(b"a\nmine\nc\n", [0..1, 2..3]);
        assert_eq!(text.loses_by_hand(std::iter::once(0..3)), None);
        assert_eq!(text.loses_by_hand(std::iter::once(1..2)), None);
        assert_eq!(text.loses_by_hand([0..1, 2..3]), Some(2));
        assert_eq!(text.by_hand(), [(2, 2)]);
    }

    #[test]
    fn an_include_goes_above_the_first_that_is_always_read() {
        for (text, expected) in [
            ("#pragma once\n#include <a>\n", Some(2)),
            ("#ifndef H\n#define H\n#include <a>\n#endif\n", Some(3)),
            ("#ifdef A\n#include <a>\n#endif\n#include <b>\n", Some(4)),
            ("#if A\n#if B\n#include <a>\n#endif\n#endif\n", None),
            ("int a;\n", None),
        ] {
            let found = MendedText::new(text.as_bytes(), []);
            assert_eq!(found.include_line(), expected, "{text}");
        }
        let mut text = MendedText::new(b"a\r\n", []);
        text.insert(1, "#include <b>");
        assert_eq!(text.bytes(), b"#include <b>\r\na\r\n");
    }
}
