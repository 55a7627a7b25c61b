//! Three-way merge of lines, whatever their encoding.

use std::borrow::Cow;
use std::ops::Range;
use std::panic::catch_unwind;

use super::regions::regions;

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

impl Merged {
    /// Adds both sides of a conflict between markers.
    fn conflict(&mut self, ours: &[u8], theirs: &[u8], end: &[u8], counted: &mut Counted) {
        self.marker(OURS, end);
        let start = counted.lines(&self.bytes);
        self.bytes.extend_from_slice(ours);
        self.marker(BETWEEN, end);
        self.bytes.extend_from_slice(theirs);
        self.marker(THEIRS, end);
        self.conflicts.push(start..counted.lines(&self.bytes) + 1);
    }

    /// Adds a marker on a line of its own, behind a last line without an end too.
    fn marker(&mut self, marker: &[u8], end: &[u8]) {
        if !self.bytes.is_empty() && !self.bytes.ends_with(b"\n") {
            self.bytes.extend_from_slice(end);
        }
        self.bytes.extend_from_slice(marker);
        self.bytes.extend_from_slice(end);
    }
}

/// How many lines a text that grows has, each counted once.
#[derive(Default)]
struct Counted {
    lines: usize,
    bytes: usize,
}

impl Counted {
    /// The lines of `text`, which starts with that of the last call.
    fn lines(&mut self, text: &[u8]) -> usize {
        self.lines += memchr::memchr_iter(b'\n', &text[self.bytes..]).count();
        self.bytes = text.len();
        self.lines
    }
}

/// Merges what `ours` and `theirs` made of `base`. `None` when the crate that compares breaks down: then nothing is touched.
pub(super) fn merge(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Merged> {
    let (base, theirs) = (ended_as(ours, base), ended_as(ours, theirs));
    let regions = catch_unwind(|| regions(&base, ours, &theirs)).ok()?;
    let [base, our_lines, their_lines] = [&base, ours, &theirs].map(Lines::new);
    let end: &[u8] = if is_crlf(ours) { b"\r\n" } else { b"\n" };
    let mut merged = Merged {
        bytes: Vec::with_capacity(ours.len()),
        conflicts: Vec::new(),
    };
    let (mut counted, mut done) = (Counted::default(), 0);
    for region in regions {
        merged
            .bytes
            .extend_from_slice(base.text(done..region.base.start));
        done = region.base.end;
        let ours = our_lines.text(region.ours);
        let theirs = their_lines.text(region.theirs);
        match base.text(region.base) {
            base if base == ours => merged.bytes.extend_from_slice(theirs),
            base if base == theirs || ours == theirs => merged.bytes.extend_from_slice(ours),
            _ => merged.conflict(ours, theirs, end, &mut counted),
        }
    }
    merged
        .bytes
        .extend_from_slice(base.text(done..base.count()));
    Some(merged)
}

/// A text and where its lines end.
struct Lines<'a> {
    text: &'a [u8],
    /// The start of the text, and the end of each line.
    ends: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a [u8]) -> Self {
        let ends = memchr::memchr_iter(b'\n', text).map(|at| at + 1);
        let mut ends: Vec<usize> = std::iter::once(0).chain(ends).collect();
        if !text.is_empty() && !text.ends_with(b"\n") {
            ends.push(text.len());
        }
        Self { text, ends }
    }

    fn count(&self) -> usize {
        self.ends.len() - 1
    }

    /// The text of some lines, with their ends.
    fn text(&self, lines: Range<usize>) -> &'a [u8] {
        &self.text[self.ends[lines.start]..self.ends[lines.end]]
    }
}

/// Whether markers that a merge wrote are still in a text.
pub(super) fn has_markers(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n');
    lines.any(|line| [OURS, THEIRS].contains(&line.trim_ascii_end()))
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

    #[test]
    fn texts_without_a_common_line_are_one_conflict() {
        let text = |word: &str, every: usize| -> String {
            let word = |line| if line % every == 0 { word } else { "same" };
            // A merge that took the square of the lines would not come back for a quarter of an hour.
            (0..60_000)
                .map(|line| format!("{} {line}\n", word(line)))
                .collect()
        };
        for every in [1, 2, 6] {
            let [base, ours, theirs] = ["base", "ours", "theirs"].map(|word| text(word, every));
            let merged = merge(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
            let conflicts = merged.expect("the merge holds").conflicts.len();
            assert_eq!(conflicts, if every == 1 { 1 } else { 60_000 / every });
        }
    }

    proptest::proptest! {
        #[test]
        fn no_line_of_a_side_is_lost(texts in proptest::array::uniform3("([a-e]{1,2}\n){0,14}[a-e]?")) {
            let [base, ours, theirs] = texts.each_ref().map(|text| text.as_bytes());
            let merged = merge(base, ours, theirs).expect("the merge holds");
            let lines = |text: &[u8]| -> Vec<Vec<u8>> {
                text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
            };
            let (kept, before) = (lines(&merged.bytes), lines(base));
            for line in [ours, theirs].into_iter().flat_map(lines) {
                proptest::prop_assert!(kept.contains(&line) || before.contains(&line));
            }
            let alone = |ours, theirs| merge(base, ours, theirs).expect("the merge holds").bytes;
            proptest::prop_assert_eq!(alone(ours, base), ours);
            proptest::prop_assert_eq!(alone(base, theirs), theirs);
            proptest::prop_assert_eq!(alone(ours, ours), ours);
        }
    }
}
