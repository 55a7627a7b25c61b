use std::collections::BTreeMap;
use std::ops::Bound;

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
}

impl EditSet {
    /// Chooses the edits of `fixes` whose applicability is at least `policy`.
    ///
    /// Fixes come with a priority, smaller first: of two that touch the same bytes the better priority wins, then the earlier
    /// position, so the outcome does not depend on the order in which findings were made. Identical edits are merged.
    pub fn resolve(fixes: &[(u8, Option<&Fix>)], policy: Applicability) -> Resolution {
        let mut order: Vec<usize> = (0..fixes.len())
            .filter(|&i| fixes[i].1.is_some_and(|fix| fix.applicability >= policy))
            .collect();
        order.sort_by(|&a, &b| {
            (fixes[a].0, edits_of(fixes, a)).cmp(&(fixes[b].0, edits_of(fixes, b)))
        });
        let mut chosen = Chosen::default();
        let (mut applied, mut conflicts) = (vec![false; fixes.len()], Vec::new());
        for index in order {
            let edits = edits_of(fixes, index);
            if is_disjoint(edits) && edits.iter().all(|edit| chosen.fits(edit)) {
                applied[index] = true;
                chosen.take(edits);
            } else {
                conflicts.push(index);
            }
        }
        conflicts.sort_unstable();
        Resolution {
            edits: Self::sorted(chosen.into_sorted()),
            applied,
            conflicts,
        }
    }

    fn sorted(edits: Vec<Edit>) -> Self {
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
    pub fn unmap_offset(&self, offset: u32) -> u32 {
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
    pub fn map_offset(&self, offset: u32) -> u32 {
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

fn edits_of<'f>(fixes: &[(u8, Option<&'f Fix>)], index: usize) -> &'f [Edit] {
    fixes[index].1.map_or(&[], |fix| &fix.edits)
}

/// Whether the edits of one fix leave each other alone; one that does not would break the set, whatever the rule meant.
fn is_disjoint(edits: &[Edit]) -> bool {
    let mut own = Chosen::default();
    edits.iter().all(|edit| {
        let fits = own.fits(edit);
        own.take(std::slice::from_ref(edit));
        fits
    })
}

/// Edits taken so far: replacements by start, insertions by offset.
#[derive(Default)]
struct Chosen {
    replacements: BTreeMap<u32, Edit>,
    insertions: BTreeMap<u32, Vec<Edit>>,
}

impl Chosen {
    /// An edit fits when no taken edit overlaps it, or when the very same edit was taken before.
    fn fits(&self, edit: &Edit) -> bool {
        let (start, end) = (edit.range.start, edit.range.end);
        if self
            .insertions
            .range((Bound::Excluded(start), Bound::Excluded(end.max(start + 1))))
            .next()
            .is_some()
        {
            return false;
        }
        let before = self.replacements.range(..end.max(start + 1)).next_back();
        before.is_none_or(|(_, other)| {
            other.range.end <= start
                || other == edit
                || (edit.range.is_empty() && other.range.start == start)
        })
    }

    /// Takes the edits of one fix. What another fix inserted already is not inserted again; a fix that says it twice means it twice.
    fn take(&mut self, edits: &[Edit]) {
        let is_new = |edit: &&Edit| {
            let here = self.insertions.get(&edit.range.start);
            !here.is_some_and(|here| here.contains(edit))
        };
        for edit in edits.iter().filter(is_new).cloned().collect::<Vec<_>>() {
            let start = edit.range.start;
            if edit.range.is_empty() {
                self.insertions.entry(start).or_default().push(edit);
            } else {
                self.replacements.insert(start, edit);
            }
        }
    }

    fn into_sorted(self) -> Vec<Edit> {
        let mut edits: Vec<Edit> = self
            .insertions
            .into_values()
            .flatten()
            .chain(self.replacements.into_values())
            .collect();
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        edits
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
