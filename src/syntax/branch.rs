//! Conditional groups as nested branches: which `#if` branches a byte lies in.

use super::{Directive, DirectiveKind};
use crate::text::TextRange;

/// The branches of all `#if` groups, by start.
#[derive(Debug, Default)]
pub struct Branches {
    ranges: Vec<TextRange>,
}

impl Branches {
    pub(super) fn new(directives: &[Directive], len: u32) -> Self {
        let (mut ranges, mut open) = (Vec::new(), Vec::<u32>::new());
        for directive in directives {
            let opens = matches!(
                directive.kind,
                DirectiveKind::If | DirectiveKind::Ifdef | DirectiveKind::Ifndef
            );
            let turns = matches!(directive.kind, DirectiveKind::Elif | DirectiveKind::Else);
            if turns || directive.kind == DirectiveKind::Endif {
                ranges.extend(
                    open.pop()
                        .map(|start| TextRange::new(start, directive.range.start)),
                );
            }
            if opens || turns {
                open.push(directive.range.end);
            }
        }
        ranges.extend(
            open.into_iter()
                .map(|start| TextRange::new(start, len.max(start))),
        );
        ranges.sort_unstable();
        Self { ranges }
    }

    /// The branches around a byte, outermost first.
    pub fn around(&self, offset: u32) -> impl Iterator<Item = TextRange> + '_ {
        let end = self.ranges.partition_point(|range| range.start <= offset);
        self.ranges[..end]
            .iter()
            .copied()
            .filter(move |range| offset < range.end)
    }

    /// Whether everyone who sees `later` has seen `earlier`: each branch around `earlier` is around `later` too.
    pub fn dominates(&self, earlier: u32, later: u32) -> bool {
        earlier <= later
            && self
                .around(earlier)
                .all(|branch| branch.contains_offset(later))
    }
}
