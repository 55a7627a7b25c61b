//! Where two texts differ from the one that both came from.

use std::ops::Range;

use imara_diff::sources::byte_lines;
use imara_diff::{Algorithm, Diff, Hunk, InternedInput};

/// Some lines of the text that both came from, and what stands for them in either; at least one of them differs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) base: Range<usize>,
    pub(super) ours: Range<usize>,
    pub(super) theirs: Range<usize>,
}

/// The regions in their order, each as small as it can be: a line that is the same in all three texts stands between two of them.
pub(super) fn regions(base: &[u8], ours: &[u8], theirs: &[u8]) -> Vec<Region> {
    let (ours, theirs) = (hunks(base, ours), hunks(base, theirs));
    let (mut ours, mut theirs) = (Side::new(&ours), Side::new(&theirs));
    let mut regions = Vec::new();
    while let Some(start) = ours.next().into_iter().chain(theirs.next()).min() {
        let (our_start, their_start) = (ours.line_of(start), theirs.line_of(start));
        // Hunks that touch are one region: nobody can say in which order to put lines that both added at one place.
        let mut end = start;
        while ours.take(&mut end) || theirs.take(&mut end) {}
        regions.push(Region {
            base: start..end,
            ours: our_start..ours.line_of(end),
            theirs: their_start..theirs.line_of(end),
        });
    }
    regions
}

/// The lines that differ. Git's own comparison, with its limits for texts that share little, so that the time grows with the text and not
/// with its square.
fn hunks(base: &[u8], side: &[u8]) -> Vec<Hunk> {
    let input = InternedInput::new(byte_lines(base), byte_lines(side));
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_no_heuristic(&input);
    diff.hunks().collect()
}

/// One text on the way through its differences.
struct Side<'a> {
    hunks: &'a [Hunk],
    /// Where the lines behind the hunks that were taken start: in the text they came from, and in this one.
    behind: (usize, usize),
}

impl<'a> Side<'a> {
    fn new(hunks: &'a [Hunk]) -> Self {
        Self {
            hunks,
            behind: (0, 0),
        }
    }

    /// The line of the text that both came from at which the next difference starts.
    fn next(&self) -> Option<usize> {
        self.hunks.first().map(|hunk| hunk.before.start as usize)
    }

    /// Takes the next difference if it starts at `end` or before; `end` is behind it then.
    fn take(&mut self, end: &mut usize) -> bool {
        let Some((hunk, rest)) = self.hunks.split_first() else {
            return false;
        };
        let touches = hunk.before.start as usize <= *end;
        if touches {
            self.hunks = rest;
            self.behind = (hunk.before.end as usize, hunk.after.end as usize);
            *end = (*end).max(self.behind.0);
        }
        touches
    }

    /// Which line of this text stands for a line behind the differences that were taken.
    fn line_of(&self, base: usize) -> usize {
        self.behind.1 + (base - self.behind.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The regions as lines of each text, counted from 0.
    fn found(base: &str, ours: &str, theirs: &str) -> Vec<[Range<usize>; 3]> {
        let texts = [base, ours, theirs].map(|text| text.replace(' ', "\n"));
        let [base, ours, theirs] = texts.each_ref().map(|text| text.as_bytes());
        let regions = regions(base, ours, theirs);
        let lines = regions.into_iter();
        lines.map(|it| [it.base, it.ours, it.theirs]).collect()
    }

    #[test]
    fn a_line_that_stays_parts_two_regions() {
        let changed = found("a b c d", "A b c d", "a b C d");
        assert_eq!(changed, [[0..1, 0..1, 0..1], [2..3, 2..3, 2..3]]);
        // Lines behind an addition stand further down in its text alone.
        let added = found("a b c d", "a x y b c d", "a b c z d");
        assert_eq!(added, [[1..1, 1..3, 1..1], [3..3, 5..5, 3..4]]);
    }

    #[test]
    fn what_touches_is_one_region() {
        assert_eq!(found("a b c d", "A b c d", "a B c d"), [[0..2, 0..2, 0..2]]);
        assert_eq!(found("a b ", "a x b ", "a y y b "), [[1..1, 1..2, 1..3]]);
        let bridged = found("a b c d e", "A B C d e", "a b C D e");
        assert_eq!(bridged, [[0..4, 0..4, 0..4]]);
    }
}
