//! Edits in code that other edits move or take out for good.

use std::collections::{BTreeMap, BTreeSet};

use super::Edit;
use crate::text::TextRange;

/// An edit with the index of its fix.
#[derive(Clone, Debug)]
pub(super) struct Owned {
    pub(super) edit: Edit,
    pub(super) owner: usize,
}

impl Owned {
    pub(super) fn new(edit: &Edit, owner: usize) -> Self {
        let edit = edit.clone();
        Self { edit, owner }
    }
}

/// Whether an edit changes code that `outer` takes out for good. What is inserted at either end of that code belongs to it.
pub(super) fn is_inside(edit: &Edit, outer: &Edit) -> bool {
    outer
        .deleted_range()
        .is_some_and(|code| code.contains(edit.range))
}

/// Whether the edits of one fix stay together: all of them, or none, go with code that `outer` takes out; what it moves is not lost.
pub(super) fn stays_whole(fix: &[Edit], outer: &[Edit]) -> bool {
    let goes = |edit: &&Edit| outer.iter().any(|it| is_inside(edit, it));
    let moved = outer.iter().flat_map(Edit::moved);
    let is_carried = |edit: &Edit| moved.clone().any(|moved| moved.from.contains(edit.range));
    fix.iter().all(|edit| goes(&edit)) || fix.iter().filter(goes).all(is_carried)
}

/// Those of some edits, by start and end, that overlap a range or touch it. None is longer than `longest`.
pub(super) fn touching(
    edits: &BTreeMap<(u32, u32), Owned>,
    longest: u32,
    range: TextRange,
) -> impl Iterator<Item = &Owned> {
    let first = range.start.saturating_sub(longest);
    let near = edits.range((first, 0)..=(range.end, u32::MAX));
    near.map(|(_, owned)| owned)
        .filter(move |owned| owned.edit.range.end >= range.start)
}

/// The edits of the file, which are disjoint, with the code that they move as it is to be, and the fixes that they show.
/// `all` is in order.
pub(super) fn rendered(all: &[Owned]) -> (Vec<Edit>, BTreeSet<usize>) {
    let renderer = Renderer { all };
    let mut shown = BTreeSet::new();
    let last = all.iter().map(|owned| owned.edit.range.end).max();
    let file = TextRange::new(0, last.unwrap_or_default());
    let edits = renderer.edits_of(file, None, &mut shown);
    (edits, shown)
}

struct Renderer<'a> {
    all: &'a [Owned],
}

impl Renderer<'_> {
    /// The edits that show in a part of the file; `mover` is the fix that moves it.
    fn edits_of(
        &self,
        part: TextRange,
        mover: Option<usize>,
        shown: &mut BTreeSet<usize>,
    ) -> Vec<Edit> {
        let first = self
            .all
            .partition_point(|owned| owned.edit.range.start < part.start);
        let inside = self.all[first..]
            .iter()
            .take_while(|owned| owned.edit.range.start <= part.end)
            .filter(|owned| part.contains(owned.edit.range) && mover != Some(owned.owner));
        // Code that goes for good, outermost first: it hides what other fixes have in it.
        let mut outer = Vec::<&Owned>::new();
        let mut gone: Vec<&Owned> = inside
            .clone()
            .filter(|owned| owned.edit.deleted_range().is_some())
            .collect();
        gone.sort_by_key(|owned| {
            (
                owned.edit.range.start,
                std::cmp::Reverse(owned.edit.range.end),
            )
        });
        for owned in gone {
            if outer.last().is_none_or(|last| !hides(last, owned)) {
                outer.push(owned);
            }
        }
        let is_hidden = |owned: &&Owned| {
            let before = outer.partition_point(|it| it.edit.range.start <= owned.edit.range.start);
            // Two may touch an insertion between them.
            outer[before.saturating_sub(2)..before]
                .iter()
                .any(|it| hides(it, owned))
        };
        let visible = inside.filter(|owned| !is_hidden(owned));
        visible.map(|owned| self.edit(owned, shown)).collect()
    }

    /// An edit with the code that it moves as other fixes make it.
    fn edit(&self, owned: &Owned, shown: &mut BTreeSet<usize>) -> Edit {
        shown.insert(owned.owner);
        let old = &owned.edit;
        if old.moved().is_empty() {
            return Edit::replace(old.range, old.content.clone());
        }
        let (mut content, mut copied) = (String::new(), 0);
        for moved in old.moved() {
            let at = moved.at as usize;
            content.push_str(&old.content[copied..at]);
            copied = at + moved.from.len() as usize;
            let code = &old.content[at..copied];
            let edits = self.edits_of(moved.from, Some(owned.owner), shown);
            content.push_str(&changed(code, moved.from.start, &edits));
        }
        content.push_str(&old.content[copied..]);
        Edit::replace(old.range, content)
    }
}

fn hides(outer: &Owned, inner: &Owned) -> bool {
    outer.owner != inner.owner && is_inside(&inner.edit, &outer.edit)
}

/// Code that starts at byte `start` of the file, with edits made.
fn changed(code: &str, start: u32, edits: &[Edit]) -> String {
    let code = code.as_bytes();
    let (mut text, mut copied) = (Vec::with_capacity(code.len()), 0);
    for edit in edits {
        let (from, to) = (edit.range.start - start, edit.range.end - start);
        text.extend_from_slice(&code[copied..from as usize]);
        text.extend_from_slice(edit.content.as_bytes());
        copied = to as usize;
    }
    text.extend_from_slice(&code[copied..]);
    String::from_utf8_lossy(&text).into_owned()
}
