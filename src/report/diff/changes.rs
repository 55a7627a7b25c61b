//! Which lines come and go: from edits, which say so, or from two texts.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};
use similar::DiffOp;
use similar::algorithms::{Capture, Compact, DiffHook as _, NoFinishHook, Replace, myers};

use super::lines::Lines;
use crate::edit::EditSet;

/// Up to so many lines of both texts together, the least change is looked for: the time for that grows with their square.
const SMALL: usize = 10_000;
/// The same for each of the parts of a larger text.
const SMALL_PART: usize = 1_000;

/// The operations that turn the one text into the other, as edits did it.
pub(super) fn of_edits(old: &Lines<'_>, new: &Lines<'_>, edits: &EditSet) -> Vec<DiffOp> {
    let mut finder = Finder::new(old, new);
    let mut block: Option<(Range<usize>, Range<usize>)> = None;
    for (before, after) in edits.ranges() {
        let whole_lines = old.starts_line(before.end) && new.starts_line(after.end);
        let more = usize::from(!whole_lines);
        let of = |lines: &Lines<'_>, start, end| {
            lines.line_at(start)..(lines.line_at(end) + more).min(lines.count())
        };
        let found = (
            of(old, before.start, before.end),
            of(new, after.start, after.end),
        );
        block = Some(match block {
            Some((o, n)) if found.0.start <= o.end => (
                o.start..o.end.max(found.0.end),
                n.start..n.end.max(found.1.end),
            ),
            earlier => {
                finder.take(earlier);
                found
            }
        });
    }
    finder.take(block);
    finder.finish()
}

/// The operations that turn one text into another: the fewest where the texts are small, good ones where they are large.
pub(super) fn of_texts(old: &Lines<'_>, new: &Lines<'_>) -> Vec<DiffOp> {
    let mut finder = Finder::new(old, new);
    finder.change(0..old.count(), 0..new.count(), SMALL, 0);
    finder.finish()
}

struct Finder<'l> {
    old: &'l Lines<'l>,
    new: &'l Lines<'l>,
    hook: Compact<'l, 'l, Lines<'l>, Lines<'l>, Replace<Capture>>,
    /// The first lines that nothing was said of.
    at: (usize, usize),
}

impl<'l> Finder<'l> {
    fn new(old: &'l Lines<'l>, new: &'l Lines<'l>) -> Self {
        Self {
            old,
            new,
            hook: Compact::new(Replace::new(Capture::new()), old, new),
            at: (0, 0),
        }
    }

    /// A block of changed lines; those before it are the same.
    fn take(&mut self, block: Option<(Range<usize>, Range<usize>)>) {
        if let Some((old, new)) = block {
            self.equal(old.start - self.at.0);
            self.change(old, new, SMALL_PART, 0);
        }
    }

    fn finish(mut self) -> Vec<DiffOp> {
        self.equal(self.old.count() - self.at.0);
        let Ok(()) = self.hook.finish();
        self.hook.into_inner().into_inner().into_ops()
    }

    fn equal(&mut self, len: usize) {
        if len > 0 {
            let Ok(()) = self.hook.equal(self.at.0, self.at.1, len);
            self.at = (self.at.0 + len, self.at.1 + len);
        }
    }

    fn change(&mut self, old: Range<usize>, new: Range<usize>, small: usize, depth: u8) {
        let same = |(o, n): &(usize, usize)| self.old.get(*o) == self.new.get(*n);
        let ahead = old.clone().zip(new.clone()).take_while(same).count();
        let (old, new) = (old.start + ahead..old.end, new.start + ahead..new.end);
        let backwards = old.clone().rev().zip(new.clone().rev());
        let behind = backwards.take_while(same).count();
        let (old, new) = (old.start..old.end - behind, new.start..new.end - behind);
        self.equal(ahead);
        self.differ(old, new, small, depth);
        self.equal(behind);
    }

    /// A change whose first and last lines differ.
    fn differ(&mut self, old: Range<usize>, new: Range<usize>, small: usize, depth: u8) {
        let end = (old.end, new.end);
        if !old.is_empty() && !new.is_empty() && old.len() + new.len() <= small {
            let mut hook = NoFinishHook::new(&mut self.hook);
            let Ok(()) = myers::diff(&mut hook, self.old, old, self.new, new);
        } else {
            let anchors = if depth < 16 {
                self.anchors(&old, &new)
            } else {
                Vec::new()
            };
            for &(o, n) in &anchors {
                self.change(self.at.0..o, self.at.1..n, SMALL_PART, depth + 1);
                self.equal(1);
            }
            if anchors.is_empty() {
                self.replace(old, new);
            } else {
                self.change(
                    self.at.0..old.end,
                    self.at.1..new.end,
                    SMALL_PART,
                    depth + 1,
                );
            }
        }
        self.at = end;
    }

    fn replace(&mut self, old: Range<usize>, new: Range<usize>) {
        if !old.is_empty() {
            let Ok(()) = self.hook.delete(old.start, old.len(), new.start);
        }
        if !new.is_empty() {
            let Ok(()) = self.hook.insert(old.end, new.start, new.len());
        }
    }

    /// Lines that each side has once, in an order that both have.
    fn anchors(&self, old: &Range<usize>, new: &Range<usize>) -> Vec<(usize, usize)> {
        let mut seen = FxHashMap::<&[u8], [Option<usize>; 2]>::default();
        let mut repeated = FxHashSet::<&[u8]>::default();
        for (side, lines, range) in [(0, self.old, old), (1, self.new, new)] {
            for line in range.clone() {
                let text = lines.get(line);
                if seen.entry(text).or_default()[side].replace(line).is_some() {
                    repeated.insert(text);
                }
            }
        }
        let both = |(text, places): (&[u8], [Option<usize>; 2])| match places {
            [Some(o), Some(n)] if !repeated.contains(text) => Some((o, n)),
            _ => None,
        };
        let mut pairs: Vec<(usize, usize)> = seen.into_iter().filter_map(both).collect();
        pairs.sort_unstable();
        increasing(&pairs)
    }
}

/// The longest part of the pairs, sorted by their first number, whose second numbers increase as well.
fn increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // The pair that ends the best chain of each length, and the pair before each pair in its chain.
    let (mut ends, mut before) = (Vec::<usize>::new(), vec![None; pairs.len()]);
    for (index, (_, second)) in pairs.iter().enumerate() {
        let len = ends.partition_point(|&end| pairs[end].1 < *second);
        before[index] = len.checked_sub(1).map(|last| ends[last]);
        match ends.get_mut(len) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut chain: Vec<(usize, usize)> =
        std::iter::successors(ends.last().copied(), |&index| before[index])
            .map(|index| pairs[index])
            .collect();
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{Applicability, Edit, Fix, apply};
    use crate::text::TextRange;

    fn replay(old: &Lines<'_>, new: &Lines<'_>, ops: &[DiffOp]) -> Vec<u8> {
        let mut text = Vec::new();
        let mut at = 0;
        for op in ops {
            let (tag, o, n) = op.as_tag_tuple();
            assert_eq!(o.start, at, "{ops:?}");
            at = o.end;
            let lines = if tag == similar::DiffTag::Equal {
                (old, o)
            } else {
                (new, n)
            };
            lines
                .1
                .for_each(|line| text.extend_from_slice(lines.0.get(line)));
        }
        assert_eq!(at, old.count());
        text
    }

    /// The changed parts `old > new` as the edits tell them, after a look at whether they lead to the result.
    fn told(source: &str, edits: &[(u32, u32, &'static str)]) -> Vec<String> {
        let edit = |&(start, end, text)| Edit::replace(TextRange::new(start, end), text);
        let fix = Fix::safe(edits.iter().map(edit).collect());
        let edits = EditSet::resolve(&[(0, Some(&fix))], Applicability::Safe).edits;
        let result = apply(source.as_bytes(), &edits);
        let (old, new) = (Lines::new(source.as_bytes()), Lines::new(&result));
        let ops = of_edits(&old, &new, &edits);
        assert_eq!(replay(&old, &new, &ops), result, "{ops:?}");
        let changed = ops.iter().filter(|op| op.tag() != similar::DiffTag::Equal);
        changed
            .map(|op| format!("{:?} > {:?}", op.old_range(), op.new_range()))
            .collect()
    }

    #[test]
    fn edits_tell_the_lines_that_change() {
        assert_eq!(told("a\nb\nc\n", &[(2, 3, "x")]), ["1..2 > 1..2"]);
        assert_eq!(told("a\nb\nc\n", &[(2, 2, "x\n")]), ["1..1 > 1..2"]);
        assert_eq!(told("a\nb\nc\n", &[(2, 4, "")]), ["1..2 > 1..1"]);
        assert_eq!(told("a\nb\nc", &[(3, 4, "")]), ["1..3 > 1..2"]);
        assert_eq!(told("a\nb\nc", &[(5, 5, "\nd")]), ["2..3 > 2..4"]);
        assert_eq!(told("a\nb\n", &[(4, 4, "c\n")]), ["2..2 > 2..3"]);
        assert_eq!(told("", &[(0, 0, "c")]), ["0..0 > 0..1"]);
    }

    #[test]
    fn neighbours_are_one_change_and_lines_that_stay_are_none() {
        assert_eq!(
            told("a\nb\nc\nd\n", &[(0, 1, "x"), (2, 3, "y"), (6, 7, "z")]),
            ["0..2 > 0..2", "3..4 > 3..4"]
        );
        assert_eq!(
            told("a\nb\nc\n", &[(0, 5, "x\nb\ny")]),
            ["0..1 > 0..1", "2..3 > 2..3"]
        );
    }

    #[test]
    fn large_texts_end_in_good_time_and_agree() {
        // Every second line changes, and all lines that stay look alike in threes: far more than the fewest changes could be found for.
        let text = |word: &str| -> String {
            (0..60_000)
                .map(|line| match line % 2 {
                    0 => format!("{word}{line}\n"),
                    _ => format!("same {}\n", line % 3 + line / 500),
                })
                .collect()
        };
        for (a, b) in [(text("a"), text("b")), (text("a"), "x\n".repeat(30_000))] {
            let (old, new) = (Lines::new(a.as_bytes()), Lines::new(b.as_bytes()));
            assert_eq!(replay(&old, &new, &of_texts(&old, &new)), b.as_bytes());
        }
    }

    #[test]
    fn the_longest_common_order_is_kept() {
        let pairs = [(0, 5), (1, 0), (2, 1), (3, 9), (4, 2)];
        assert_eq!(increasing(&pairs), [(1, 0), (2, 1), (4, 2)]);
    }
}
