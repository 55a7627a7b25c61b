//! Which fixes go together.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use super::moves::{self, Owned};
use super::{Edit, Fix};
use crate::text::TextRange;

/// The edits of one of some fixes.
pub(super) fn edits_of<'f>(fixes: &[(u8, Option<&'f Fix>)], index: usize) -> &'f [Edit] {
    fixes[index].1.map_or(&[], |fix| &fix.edits)
}

/// Fixes taken so far. Their edits are disjoint, but for those that lie in code that another edit moves or takes out for good.
pub(super) struct Chosen<'c, 'f> {
    fixes: &'c [(u8, Option<&'f Fix>)],
    taken: Taken,
    /// Edits that take code out for good, by start and end.
    gone: BTreeMap<(u32, u32), Owned>,
    /// Length of the longest range of those.
    longest: u32,
    /// Fixes by the start of their edits that carry code.
    carriers: BTreeMap<u32, Vec<usize>>,
    indices: Vec<usize>,
}

impl<'c, 'f> Chosen<'c, 'f> {
    pub(super) fn new(fixes: &'c [(u8, Option<&'f Fix>)]) -> Self {
        Self {
            fixes,
            taken: Taken::default(),
            gone: BTreeMap::new(),
            longest: 0,
            carriers: BTreeMap::new(),
            indices: Vec::new(),
        }
    }

    /// Takes a fix if it goes together with those taken before.
    pub(super) fn take(&mut self, index: usize) -> bool {
        let edits = edits_of(self.fixes, index);
        let fits = is_disjoint(edits)
            && edits.iter().all(|edit| self.fits(index, edit))
            && !self.closes_circle(index);
        if fits {
            self.indices.push(index);
            for edit in edits.iter().filter(|edit| !edit.moved().is_empty()) {
                let here = self.carriers.entry(edit.range.start).or_default();
                here.push(index);
            }
            let (gone, plain): (Vec<_>, Vec<_>) = edits
                .iter()
                .partition(|edit| edit.deleted_range().is_some());
            self.taken.take(&plain, index);
            for edit in gone {
                self.longest = self.longest.max(edit.range.len());
                let key = (edit.range.start, edit.range.end);
                self.gone
                    .entry(key)
                    .or_insert_with(|| Owned::new(edit, index));
            }
        }
        fits
    }

    /// Whether a fix would carry code to where it goes itself: into what another carries into what this one carries. Both would be gone.
    fn closes_circle(&self, index: usize) -> bool {
        let lands_in = |owner: usize, from: TextRange| {
            let mut edits = edits_of(self.fixes, owner).iter();
            edits.any(|edit| !edit.moved().is_empty() && from.contains(edit.range))
        };
        let (mut open, mut seen) = (vec![index], BTreeSet::new());
        while let Some(at) = open.pop() {
            for moved in edits_of(self.fixes, at).iter().flat_map(Edit::moved) {
                if at != index && lands_in(index, moved.from) {
                    return true;
                }
                let near = self.carriers.range(moved.from.start..=moved.from.end);
                let inside = near.flat_map(|(_, owners)| owners);
                open.extend(inside.filter(|&&owner| {
                    owner != at && lands_in(owner, moved.from) && seen.insert(owner)
                }));
            }
        }
        false
    }

    fn fits(&self, index: usize, edit: &Edit) -> bool {
        let edits = edits_of(self.fixes, index);
        if edit.deleted_range().is_none() && !self.taken.fits(edit) {
            return false;
        }
        let goes_with_those_around =
            moves::touching(&self.gone, self.longest, edit.range).all(|outer| {
                let other = edits_of(self.fixes, outer.owner);
                if outer.edit == *edit {
                    return true;
                }
                match moves::is_inside(edit, &outer.edit) {
                    true => moves::stays_whole(edits, other),
                    false if moves::is_inside(&outer.edit, edit) => {
                        moves::stays_whole(other, edits)
                    }
                    false => !overlaps(edit.range, outer.edit.range),
                }
            });
        goes_with_those_around
            && (edit.deleted_range().is_none()
                || self.taken.touching(edit.range).all(|inner| {
                    let other = edits_of(self.fixes, inner.owner);
                    match moves::is_inside(&inner.edit, edit) {
                        true => moves::stays_whole(other, edits),
                        false => !overlaps(edit.range, inner.edit.range),
                    }
                }))
    }

    /// The edits that are left, in order and disjoint, and the fixes of which none is.
    pub(super) fn into_edits(self) -> (Vec<Edit>, Vec<usize>) {
        let has_moves = |edit: &Edit| edit.deleted_range().is_some() || !edit.moved().is_empty();
        let indices = self.indices;
        let moves = indices
            .iter()
            .any(|&index| edits_of(self.fixes, index).iter().any(has_moves));
        let mut all = self.taken.into_sorted();
        if !moves {
            return (
                all.into_iter().map(|owned| owned.edit).collect(),
                Vec::new(),
            );
        }
        all.extend(self.gone.into_values());
        all.sort_by_key(|owned| (owned.edit.range.start, owned.edit.range.end));
        let (edits, shown) = moves::rendered(&all);
        let is_gone = |index: &usize| {
            !shown.contains(index)
                && edits_of(self.fixes, *index).iter().any(|edit| {
                    // A fix whose every edit another one has as well is made by that one.
                    let same = |owned: &Owned| owned.edit == *edit && shown.contains(&owned.owner);
                    !all.iter().any(same)
                })
        };
        (edits, indices.into_iter().filter(is_gone).collect())
    }
}

/// Whether two ranges have a byte in common, or one is an insertion within the other.
fn overlaps(a: TextRange, b: TextRange) -> bool {
    if a == b {
        return !a.is_empty();
    }
    a.start < b.end && b.start < a.end
}

/// Whether the edits of one fix leave each other alone; one that does not would break the set, whatever the rule meant.
fn is_disjoint(edits: &[Edit]) -> bool {
    let mut own = Taken::default();
    edits.iter().all(|edit| {
        let fits = own.fits(edit);
        own.take(&[edit], 0);
        fits
    })
}

/// Edits that exclude each other where they overlap: replacements by start, insertions by offset.
#[derive(Default)]
struct Taken {
    replacements: BTreeMap<u32, Owned>,
    insertions: BTreeMap<u32, Vec<Owned>>,
}

impl Taken {
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
            other.edit.range.end <= start
                || other.edit == *edit
                || (edit.range.is_empty() && other.edit.range.start == start)
        })
    }

    /// Takes the edits of one fix. What another fix inserted already is not inserted again; a fix that says it twice means it twice.
    fn take(&mut self, edits: &[&Edit], owner: usize) {
        let is_new = |edit: &&&Edit| {
            let here = self.insertions.get(&edit.range.start);
            !here.is_some_and(|here| here.iter().any(|it| it.edit == ***edit))
        };
        for edit in edits.iter().filter(is_new).collect::<Vec<_>>() {
            let (start, owned) = (edit.range.start, Owned::new(edit, owner));
            if edit.range.is_empty() {
                self.insertions.entry(start).or_default().push(owned);
            } else {
                self.replacements.entry(start).or_insert(owned);
            }
        }
    }

    /// The edits in a range, and those that reach into it or stand at its ends.
    fn touching(&self, range: TextRange) -> impl Iterator<Item = &Owned> {
        let before = self.replacements.range(..range.start).next_back();
        let within = self.replacements.range(range.start..range.end);
        let insertions = self.insertions.range(range.start..=range.end);
        before
            .into_iter()
            .chain(within)
            .map(|(_, owned)| owned)
            .chain(insertions.flat_map(|(_, here)| here))
    }

    fn into_sorted(self) -> Vec<Owned> {
        let insertions = self.insertions.into_values().flatten();
        let mut edits: Vec<Owned> = insertions.chain(self.replacements.into_values()).collect();
        edits.sort_by_key(|owned| (owned.edit.range.start, owned.edit.range.end));
        edits
    }
}
