//! Three-way merge of lines, whatever their encoding.

use std::borrow::Cow;
use std::ops::Range;
use std::panic::catch_unwind;

use diffy::{ConflictStyle, IncompleteHunkStyle, MergeOptions};

/// Marks the side of the port.
const OURS: &[u8] = b"<<<<<<< by hand";
/// Stands between the sides.
const BETWEEN: &[u8] = b"=======";
/// Marks the side of the translation.
const THEIRS: &[u8] = b">>>>>>> new translation";

/// What a merge came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The merged text, with markers around what both sides changed.
    pub bytes: Vec<u8>,
    /// The lines of each conflict, markers included, counted from 1.
    pub conflicts: Vec<Range<usize>>,
}

/// Merges what `ours` and `theirs` made of `base`. `None` when the crate that merges breaks down: then nothing is touched.
pub(super) fn merge(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Merged> {
    let (base, theirs) = (ended_as(ours, base), ended_as(ours, theirs));
    // Longer than any run of signs in the texts, so that no line of theirs is taken for a marker.
    let length = [&base, ours, &theirs]
        .map(longest_run)
        .into_iter()
        .max()?
        .max(7)
        + 1;
    let mut options = MergeOptions::new();
    options
        .set_conflict_style(ConflictStyle::Merge)
        .set_incomplete_hunk_style(IncompleteHunkStyle::Git)
        .set_conflict_marker_length(length);
    match catch_unwind(|| options.merge_bytes(&base, ours, &theirs)).ok()? {
        Ok(bytes) => Some(Merged {
            bytes,
            conflicts: Vec::new(),
        }),
        Err(marked) => Some(marked_as_ours(&marked, length, ours)),
    }
}

/// Whether markers that a merge wrote are still in a text.
pub(super) fn has_markers(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n');
    lines.any(|line| [OURS, THEIRS].contains(&line.trim_ascii_end()))
}

/// The text with the markers that people know from git, and where they are.
fn marked_as_ours(marked: &[u8], length: usize, ours: &[u8]) -> Merged {
    let marker = |sign: u8| vec![sign; length];
    let (open, middle, close) = (marker(b'<'), marker(b'='), marker(b'>'));
    let end: &[u8] = if is_crlf(ours) { b"\r\n" } else { b"\n" };
    let mut merged = Merged {
        bytes: Vec::with_capacity(marked.len()),
        conflicts: Vec::new(),
    };
    let mut start = 0;
    for (index, line) in marked.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let ours = match () {
            () if line.starts_with(&open) => {
                start = index + 1;
                OURS
            }
            () if line.starts_with(&middle) => BETWEEN,
            () if line.starts_with(&close) => {
                merged.conflicts.push(start..index + 2);
                THEIRS
            }
            () => {
                merged.bytes.extend_from_slice(line);
                continue;
            }
        };
        merged.bytes.extend_from_slice(&[ours, end].concat());
    }
    merged
}

fn longest_run(text: impl AsRef<[u8]>) -> usize {
    let lines = text.as_ref().split(|&byte| byte == b'\n');
    let run = |line: &[u8]| {
        let first = line.first().copied().filter(|byte| b"<=>".contains(byte));
        first.map_or(0, |first| {
            line.iter().take_while(|byte| **byte == first).count()
        })
    };
    lines.map(run).max().unwrap_or(0)
}

/// Whether all lines end as on Windows, and there is one.
fn is_crlf(text: &[u8]) -> bool {
    let ends = memchr::memchr_iter(b'\n', text);
    let (mut count, mut with_return) = (0, 0);
    for end in ends {
        count += 1;
        with_return += usize::from(end > 0 && text[end - 1] == b'\r');
    }
    count > 0 && count == with_return
}

/// `text` with the line ends of `model`, where each has one kind throughout: an editor or git's autocrlf changed all of them, which
/// is no work by hand on any line.
pub(super) fn ended_as<'a>(model: &[u8], text: &'a [u8]) -> Cow<'a, [u8]> {
    let is_unix = |text: &[u8]| memchr::memmem::find(text, b"\r\n").is_none();
    if is_crlf(model) && is_unix(text) {
        let lines = text.split_inclusive(|&byte| byte == b'\n');
        let ended = lines.flat_map(|line| match line.strip_suffix(b"\n") {
            Some(line) => [line, b"\r\n"],
            None => [line, b""],
        });
        Cow::Owned(ended.collect::<Vec<_>>().concat())
    } else if is_crlf(text) && is_unix(model) && model.contains(&b'\n') {
        let lines = text.split_inclusive(|&byte| byte == b'\n');
        let ended = lines.flat_map(|line| match line.strip_suffix(b"\r\n") {
            Some(line) => [line, b"\n"],
            None => [line, b""],
        });
        Cow::Owned(ended.collect::<Vec<_>>().concat())
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(base: &[u8], ours: &[u8], theirs: &[u8]) -> Vec<u8> {
        let merged = merge(base, ours, theirs).expect("the merge holds");
        assert!(merged.conflicts.is_empty());
        merged.bytes
    }

    #[test]
    fn changes_of_both_sides_are_kept() {
        let merged = clean(b"a\nb\nc\nd\n", b"A\nb\nc\nd\n", b"a\nb\nc\nD\n");
        assert_eq!(merged, b"A\nb\nc\nD\n");
        // The same change on both sides is one.
        assert_eq!(clean(b"a\nb\n", b"x\nb\n", b"x\nb\n"), b"x\nb\n");
    }

    #[test]
    fn bytes_that_are_no_utf8_stay() {
        let merged = clean(b"\xFFa\nb\nc\n", b"\xFFa\nb\nc\n\xFE\n", b"\xFFA\nb\nc\n");
        assert_eq!(merged, b"\xFFA\nb\nc\n\xFE\n");
    }

    #[test]
    fn windows_line_ends_are_no_change_of_lines() {
        let merged = clean(b"a\nb\nc\n", b"a\r\nb\r\nC\r\n", b"A\nb\nc\n");
        assert_eq!(merged, b"A\r\nb\r\nC\r\n");
        let back = clean(b"a\r\nb\r\nc\r\n", b"a\nb\nC\n", b"A\r\nb\r\nc\r\n");
        assert_eq!(back, b"A\nb\nC\n");
    }

    #[test]
    fn conflicts_are_marked_in_the_line_ends_of_the_file() {
        let merged = merge(b"a\r\nb\r\n", b"x\r\nb\r\n", b"y\r\nb\r\n").expect("the merge holds");
        let text = b"<<<<<<< by hand\r\nx\r\n=======\r\ny\r\n>>>>>>> new translation\r\nb\r\n";
        assert_eq!(merged.bytes, text);
        assert_eq!(merged.conflicts, vec![1..6]);
        assert!(has_markers(&merged.bytes));
    }

    #[test]
    fn lines_that_look_like_markers_are_text() {
        let base = b"=======\n<<<<<<< by hand\nb\n";
        let merged = merge(
            base,
            b"=======\n<<<<<<< by hand\nx\n",
            b"=======\n<<<<<<< by hand\ny\n",
        );
        assert_eq!(merged.expect("the merge holds").conflicts, vec![3..8]);
    }

    #[test]
    fn a_last_line_without_end_is_marked_on_lines_of_their_own() {
        let merged = merge(b"a", b"x", b"y").expect("the merge holds");
        let text = "<<<<<<< by hand\nx\n=======\ny\n>>>>>>> new translation\n";
        assert_eq!(String::from_utf8_lossy(&merged.bytes), text);
    }
}
