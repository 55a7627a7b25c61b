//! Which comments can concern a finding: a file may have thousands of each, and most are far from each other.

use rustc_hash::FxHashMap;

use super::scope::{Reach, Scope};
use crate::diagnostic::Judged;
use crate::text::TextRange;

/// The scopes of a file by place; numbers are those of the scopes.
pub(super) struct Near {
    of_file: Vec<usize>,
    by_line: FxHashMap<u32, Vec<usize>>,
    /// By start: a region, and how far it or one in front of it reaches.
    regions: Vec<(TextRange, u32, usize)>,
}

impl Near {
    pub(super) fn new(scopes: &[Scope]) -> Self {
        let mut near = Self {
            of_file: Vec::new(),
            by_line: FxHashMap::default(),
            regions: Vec::new(),
        };
        for (at, scope) in scopes.iter().enumerate() {
            match scope.reach {
                Reach::File => near.of_file.push(at),
                Reach::Lines(first, last) => {
                    for line in first..=last {
                        near.by_line.entry(line).or_default().push(at);
                    }
                }
                Reach::Region(range) => near.regions.push((range, range.end, at)),
            }
        }
        near.regions.sort_by_key(|(range, ..)| range.start);
        let mut furthest = 0;
        for (_, reach, _) in &mut near.regions {
            furthest = furthest.max(*reach);
            *reach = furthest;
        }
        near
    }

    /// The scopes that hold a finding, or that its edits touch, in their order.
    pub(super) fn scopes(&self, judged: &Judged, lines: [u32; 2]) -> Vec<usize> {
        let mut found = self.of_file.clone();
        let on_lines = lines.iter().filter_map(|line| self.by_line.get(line));
        found.extend(on_lines.flatten());
        self.add_regions(
            TextRange::new(judged.range().start, judged.range().start + 1),
            &mut found,
        );
        for edit in judged.fix().into_iter().flat_map(|fix| &fix.edits) {
            self.add_regions(edit.range, &mut found);
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The regions that can hold an offset, in the order of their scopes.
    pub(super) fn regions_at(&self, offset: u32) -> Vec<usize> {
        let mut found = Vec::new();
        self.add_regions(TextRange::new(offset, offset + 1), &mut found);
        found.sort_unstable();
        found
    }

    /// Adds the regions that reach into a range or touch it.
    fn add_regions(&self, range: TextRange, found: &mut Vec<usize>) {
        let before = self
            .regions
            .partition_point(|(region, ..)| region.start <= range.end);
        let near = self.regions[..before].iter().rev();
        let near = near.take_while(|(_, reach, _)| *reach >= range.start);
        let touching = near.filter(|(region, ..)| region.end >= range.start);
        found.extend(touching.map(|(.., at)| at));
    }
}
