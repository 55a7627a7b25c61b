use super::chosen::{Chosen, edits_of};
use super::{Applicability, Edit, Fix};
use crate::text::TextRange;

/// Edits of one file. Invariant of the private field: sorted and disjoint; insertions at one place keep the order of their fixes.
#[derive(Clone, Debug, Default)]
pub struct EditSet {
    edits: Vec<Edit>,
    /// Where the content of each edit begins in the result.
    starts: Vec<u32>,
}

/// What became of a list of fixes.
#[derive(Debug)]
pub struct Resolution {
    /// The edits that apply.
    pub edits: EditSet,
    /// For each fix, in the order given: whether its edits are in the set.
    pub applied: Vec<bool>,
    /// Indices of fixes at or above the policy that had to yield to an earlier one.
    pub conflicts: Vec<usize>,
    /// Indices of fixes that are not in the set because the code they change goes for good by an applied one.
    pub gone: Vec<usize>,
}

impl EditSet {
    /// Chooses the edits of `fixes` whose applicability is at least `policy`.
    ///
    /// Fixes come with a priority, smaller first: of two that touch the same bytes the better priority wins, then the earlier
    /// position, so the outcome does not depend on the order in which findings were made. Identical edits are merged. Edits in code
    /// that another edit moves are made where it goes; those in code that goes for good are made nowhere.
    pub fn resolve(fixes: &[(u8, Option<&Fix>)], policy: Applicability) -> Resolution {
        let mut order: Vec<usize> = (0..fixes.len())
            .filter(|&i| fixes[i].1.is_some_and(|fix| fix.applicability >= policy))
            .collect();
        order.sort_by(|&a, &b| {
            (fixes[a].0, edits_of(fixes, a)).cmp(&(fixes[b].0, edits_of(fixes, b)))
        });
        let mut chosen = Chosen::new(fixes);
        let (mut applied, mut conflicts) = (vec![false; fixes.len()], Vec::new());
        for index in order {
            if chosen.take(index) {
                applied[index] = true;
            } else {
                conflicts.push(index);
            }
        }
        conflicts.sort_unstable();
        let (edits, gone) = chosen.into_edits();
        gone.iter().for_each(|&index| applied[index] = false);
        Resolution {
            edits: Self::sorted(edits),
            applied,
            conflicts,
            gone,
        }
    }

    pub(super) fn sorted(edits: Vec<Edit>) -> Self {
        let mut shift = 0i64;
        let start = |edit: &Edit| {
            let start = i64::from(edit.range.start) + shift;
            shift += edit.content.len() as i64 - i64::from(edit.range.len());
            start as u32
        };
        Self {
            starts: edits.iter().map(start).collect(),
            edits,
        }
    }

    /// The edits, first byte first.
    pub fn as_slice(&self) -> &[Edit] {
        &self.edits
    }

    /// The edits, first byte first.
    pub fn iter(&self) -> impl Iterator<Item = &Edit> {
        self.edits.iter()
    }

    /// The bytes of the source that each edit takes, and those of the result that it makes.
    pub fn ranges(&self) -> impl Iterator<Item = (TextRange, TextRange)> {
        let pairs = self.edits.iter().zip(&self.starts);
        pairs.map(|(edit, &start)| {
            let end = start + edit.content.len() as u32;
            (edit.range, TextRange::new(start, end))
        })
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Number of edits.
    pub fn len(&self) -> usize {
        self.edits.len()
    }

    /// Length of the result for a source of `source_len` bytes.
    pub fn output_len(&self, source_len: usize) -> usize {
        let removed: usize = self
            .edits
            .iter()
            .map(|edit| edit.range.len() as usize)
            .sum();
        let added: usize = self.edits.iter().map(|edit| edit.content.len()).sum();
        source_len - removed + added
    }

    /// Where a byte offset of the result came from (the start of the edit that made it, for new text).
    pub(crate) fn unmap_offset(&self, offset: u32) -> u32 {
        let reached = self.starts.partition_point(|start| *start <= offset);
        let Some(last) = reached.checked_sub(1) else {
            return offset;
        };
        let (edit, inside) = (&self.edits[last], offset - self.starts[last]);
        match inside.checked_sub(edit.content.len() as u32) {
            Some(behind) => edit.range.end + behind,
            None => edit.range.start,
        }
    }

    /// Where a byte offset of the source ends up in the result (the start of an edit that swallowed it).
    pub(crate) fn map_offset(&self, offset: u32) -> u32 {
        let is_before = |edit: &Edit| edit.range.end <= offset || edit.range.start < offset;
        let Some(last) = self.edits.partition_point(is_before).checked_sub(1) else {
            return offset;
        };
        let edit = &self.edits[last];
        match offset.checked_sub(edit.range.end) {
            Some(behind) => self.starts[last] + edit.content.len() as u32 + behind,
            None => self.starts[last],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::apply;

    fn fix(start: u32, end: u32, content: &'static str) -> Fix {
        Fix::safe(vec![Edit::replace(TextRange::new(start, end), content)])
    }

    fn run(source: &str, fixes: &[Fix]) -> (String, Vec<usize>) {
        let list: Vec<_> = fixes.iter().map(|fix| (0, Some(fix))).collect();
        let result = EditSet::resolve(&list, Applicability::Safe);
        (
            String::from_utf8(apply(source.as_bytes(), &result.edits)).unwrap(),
            result.conflicts,
        )
    }

    #[test]
    fn overlapping_fixes_are_conflicts_and_the_first_wins() {
        let (text, conflicts) = run("abcdef", &[fix(0, 3, "X"), fix(2, 4, "Y"), fix(4, 6, "Z")]);
        assert_eq!((text.as_str(), conflicts), ("XdZ", vec![1]));
    }

    #[test]
    fn two_pieces_of_code_do_not_go_into_each_other() {
        let carry = |from: (u32, u32), text: &str, to: u32| {
            let from = TextRange::new(from.0, from.1);
            let insert = Edit::insert(to, text.to_owned()).moving(0, from);
            Fix::safe(vec![Edit::delete(from).without(from), insert])
        };
        let (first, second) = (carry((0, 3), "abc", 7), carry((5, 9), "fghi", 1));
        let (text, conflicts) = run("abcdefghij", &[first, second]);
        assert_eq!((text.as_str(), conflicts), ("defgabchij", vec![1]));
        // Three in a row do not either.
        let (text, conflicts) = run(
            "aaabbbccc",
            &[
                carry((0, 3), "aaa", 4),
                carry((3, 6), "bbb", 7),
                carry((6, 9), "ccc", 1),
            ],
        );
        assert_eq!((text.as_str(), conflicts), ("cbaaabbcc", vec![2]));
    }

    #[test]
    fn identical_edits_merge() {
        let (text, conflicts) = run(
            "abc",
            &[
                fix(0, 0, "#"),
                fix(0, 0, "#"),
                fix(1, 2, "x"),
                fix(1, 2, "x"),
            ],
        );
        assert_eq!((text.as_str(), conflicts), ("#axc", vec![]));
    }

    #[test]
    fn a_fix_may_insert_the_same_text_twice() {
        let twice = |text| Fix::safe(vec![Edit::insert(1, text), Edit::insert(1, text)]);
        let (text, _) = run("ab", &[twice("f, "), twice("f, ")]);
        assert_eq!(text, "af, f, b");
    }

    #[test]
    fn an_insertion_inside_a_replaced_range_conflicts() {
        let (text, conflicts) = run("abcd", &[fix(2, 2, "#"), fix(1, 3, "x")]);
        assert_eq!((text.as_str(), conflicts), ("axd", vec![0]));
    }

    fn at(start: u32, end: u32) -> TextRange {
        TextRange::new(start, end)
    }

    /// `f(a, b, c)` with `b` at the end, and with `a` gone.
    fn moving_and_dropping() -> [Fix; 2] {
        let moves = vec![
            Edit::insert(9, ", b").moving(2, at(5, 6)),
            Edit::delete(at(5, 8)).without(at(5, 6)),
        ];
        let drops = vec![Edit::delete(at(2, 5)).without(at(2, 3))];
        [Fix::safe(moves), Fix::safe(drops)]
    }

    #[test]
    fn what_moves_is_changed_where_it_goes_and_what_goes_is_not() {
        let [moves, drops] = moving_and_dropping();
        let wrapped = |start: u32| {
            Fix::safe(vec![
                Edit::insert(start, "g("),
                Edit::insert(start + 1, ")"),
            ])
        };
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
            let fixes = [moves.clone(), drops.clone(), wrapped(2), wrapped(5)];
            let list: Vec<_> = order
                .iter()
                .zip(0u8..)
                .map(|(&at, priority)| (priority, Some(&fixes[at])))
                .collect();
            let result = EditSet::resolve(&list, Applicability::Safe);
            assert_eq!(
                apply(b"f(a, b, c)", &result.edits),
                b"f(c, g(b))",
                "{order:?}"
            );
            let gone: Vec<usize> = result.gone.iter().map(|&index| order[index]).collect();
            assert_eq!((gone, result.conflicts), (vec![2], vec![]), "{order:?}");
        }
    }

    #[test]
    fn half_a_fix_does_not_go() {
        let [_, drops] = moving_and_dropping();
        let both = Fix::safe(vec![
            Edit::replace(at(2, 3), "x"),
            Edit::replace(at(8, 9), "x"),
        ]);
        for (list, wanted) in [
            ([&drops, &both], "f(b, c)"),
            ([&both, &drops], "f(x, b, x)"),
        ] {
            let list = [(0, Some(list[0])), (1, Some(list[1]))];
            let result = EditSet::resolve(&list, Applicability::Safe);
            assert_eq!(apply(b"f(a, b, c)", &result.edits), wanted.as_bytes());
            assert_eq!((result.conflicts, result.gone), (vec![1], vec![]));
        }
    }

    #[test]
    fn what_moves_may_hold_what_moves() {
        // `f(g(a, b), c)`: both calls swap their arguments.
        let swap = |first: TextRange, text: &'static str, second: TextRange| {
            Fix::safe(vec![
                Edit::insert(second.end, text).moving(2, first),
                Edit::delete(at(first.start, second.start)).without(first),
            ])
        };
        let outer = swap(at(2, 9), ", g(a, b)", at(11, 12));
        let inner = swap(at(4, 5), ", a", at(7, 8));
        let name = Fix::safe(vec![Edit::replace(at(4, 5), "x")]);
        for list in [[&outer, &inner, &name], [&name, &inner, &outer]] {
            let list = [0, 1, 2].map(|at| (at as u8, Some(list[at])));
            let result = EditSet::resolve(&list, Applicability::Safe);
            assert_eq!(apply(b"f(g(a, b), c)", &result.edits), b"f(c, g(b, x))");
            assert_eq!(result.applied, [true; 3]);
        }
    }

    #[test]
    fn offsets_follow_the_edits() {
        let fixes = [fix(1, 2, "xyz")];
        let set = EditSet::resolve(&[(0, Some(&fixes[0]))], Applicability::Safe).edits;
        assert_eq!([0, 1, 2, 3].map(|at| set.map_offset(at)), [0, 1, 4, 5]);
        assert_eq!(
            [0, 1, 3, 4, 5].map(|at| set.unmap_offset(at)),
            [0, 1, 1, 2, 3]
        );
    }
}
