//! Comments that speak to the tool.
//!
//! | comment | holds for |
//! |---|---|
//! | `// cass: ignore[CODE] reason` | findings that start on its own line |
//! | `// cass: ignore-next-line[CODE] reason` | the next line of code, its continuation lines included |
//! | `// cass: ignore-file[CODE] reason` | the file |
//! | `// cass: off[CODE] reason` … `// cass: on` | everything between; without `on`, to the end of the file, which is a finding |
//!
//! `[CODE]` is a list of codes, names and groups; without it all rules are meant. *Ignored* means seen: the finding is not reported,
//! and what converts still converts. *Off* means hands off: neither findings nor edits. Block comments do as well.

mod add;
mod annotate;
mod lines;
mod mark;
mod near;
mod scope;

pub use add::suppressing;
pub use annotate::{annotated, without_annotations};

use self::mark::{Mark, Problem, Verb, marks};
use near::Near;
use scope::{Reach, Scope};

use crate::analysis::unit::Switches;
use crate::diagnostic::{Finding, Hidden, Judged, Severity};
use crate::engine::RuleSettings;
use crate::rules::{Event, Fact, codes_with, notice};
use crate::syntax::{Document, Lexed};
use crate::text::TextRange;

/// Hides the findings of something else than translation that comments of the file cover.
pub(crate) fn hide_suppressed(document: &Lexed<'_>, findings: &mut [Judged]) {
    Suppressions::new(document).apply(document, findings);
}

/// The comments of one file that speak to the tool, and what they have been good for so far.
pub(super) struct Suppressions {
    scopes: Vec<Scope>,
    near: Near,
    problems: Vec<(TextRange, Problem)>,
}

impl Switches for Suppressions {
    fn is_off(&self, offset: u32, code: &str) -> bool {
        self.region(offset, code).is_some()
    }

    fn leaves_textures(&self, offset: u32) -> bool {
        codes_with(Fact::ReplacesTextureReferences).any(|code| self.is_off(offset, code))
    }

    fn outside(&self, doc: &Document<'_>, offset: u32, code: &str) -> u32 {
        let Some(region) = self.region(offset, code) else {
            return offset;
        };
        let start = outside_groups(doc, region.start, offset);
        let line = doc.source.line_col(start).line;
        add::content_start(doc.source, lines::logical_start(doc, line))
    }
}

impl Suppressions {
    pub(crate) fn new(document: &Lexed<'_>) -> Self {
        let (found, mut problems) = marks(document);
        let (mut scopes, mut open): (Vec<Scope>, Vec<Open>) = (Vec::new(), Vec::new());
        for mark in found {
            if mark.verb == Verb::On {
                if !close(&mut scopes, &mut open, &mark) {
                    problems.push((mark.range, Problem::NothingToEnd));
                }
                continue;
            }
            if mark.verb == Verb::Off {
                let is_same = |it: &&Open| scopes[it.scope].mark.codes().eq(mark.codes());
                let outer = open.iter().rev().find(is_same).map(|outer| outer.scope);
                open.push(Open {
                    scope: outer.unwrap_or(scopes.len()),
                    is_repeated: outer.is_some(),
                });
                if outer.is_some() {
                    continue;
                }
            }
            let reach = reach(document, &mark);
            let used_words = vec![false; mark.words.len()];
            scopes.push(Scope {
                mark,
                reach,
                used: false,
                used_words,
            });
        }
        let never_ended = open
            .iter()
            .filter(|it| !it.is_repeated)
            .map(|it| scopes[it.scope].mark.range);
        problems.extend(never_ended.map(|range| (range, Problem::NeverEnded)));
        Self {
            near: Near::new(&scopes),
            scopes,
            problems,
        }
    }

    /// The outermost such region.
    fn region(&self, offset: u32, code: &str) -> Option<TextRange> {
        let around = self.near.regions_at(offset);
        let mut scopes = around.into_iter().map(|at| &self.scopes[at]);
        scopes.find_map(|scope| match scope.reach {
            Reach::Region(region) if region.contains_offset(offset) && scope.mark.covers(code) => {
                Some(region)
            }
            _ => None,
        })
    }

    /// Hides the findings that comments cover, and takes the edits out of those that are switched off.
    pub(crate) fn apply<'f>(
        &mut self,
        document: &Lexed<'_>,
        findings: impl IntoIterator<Item = &'f mut Judged>,
    ) {
        if self.scopes.is_empty() {
            return;
        }
        for judged in findings {
            let (first, second) = lines::anchors(document, judged.range().start);
            for at in self.near.scopes(judged, [first, second]) {
                self.scopes[at].apply(judged, [first, second]);
            }
        }
    }

    /// How many findings comments hide.
    pub(crate) fn count(findings: &[Judged]) -> usize {
        let is_hidden =
            |it: &&Judged| it.hidden() == Some(Hidden::Comment) && it.severity() > Severity::Info;
        findings.iter().filter(is_hidden).count()
    }

    /// What is wrong with the comments themselves. Words whose rules are all off are not called unused: nobody looked.
    pub(crate) fn findings(&self, settings: &RuleSettings) -> Vec<Finding> {
        let invalid = self.problems.iter().map(|(range, problem)| {
            notice(&Event::InvalidComment {
                range: *range,
                problem: problem.to_string(),
            })
        });
        let unused = self.scopes.iter().flat_map(|scope| scope.unused(settings));
        invalid.chain(unused).collect()
    }
}

/// An `off` without its `on` so far. One of the same rules within another covers nothing more: it has no region of its own.
#[derive(Clone, Copy)]
struct Open {
    scope: usize,
    is_repeated: bool,
}

/// Ends the innermost open region that `on` means, without words all of them; whether there was one.
fn close(scopes: &mut [Scope], open: &mut Vec<Open>, on: &Mark) -> bool {
    let is_meant = |it: &Open| on.words.is_empty() || on.codes().eq(scopes[it.scope].mark.codes());
    let Some(last) = open.iter().rposition(is_meant) else {
        return false;
    };
    let closed: Vec<Open> = if on.words.is_empty() {
        std::mem::take(open)
    } else {
        vec![open.remove(last)]
    };
    for it in closed.into_iter().filter(|it| !it.is_repeated) {
        let scope = &mut scopes[it.scope];
        scope.reach = Reach::Region(TextRange::new(scope.mark.range.start, on.range.end));
    }
    true
}

fn reach(document: &Lexed<'_>, mark: &Mark) -> Reach {
    let line = |offset| document.source.line_col(offset).line;
    match mark.verb {
        Verb::IgnoreFile => Reach::File,
        Verb::Off | Verb::On => Reach::Region(TextRange::new(mark.range.start, u32::MAX)),
        Verb::Ignore => Reach::Lines(line(mark.range.start), line(mark.range.end - 1)),
        Verb::IgnoreNextLine => {
            let last = line(mark.range.end - 1);
            let first = lines::next_code_line(document, mark.range.end).unwrap_or(last + 1);
            Reach::Lines(first, lines::logical_end(document, first))
        }
    }
}

/// The place, or the `#if` in front of it whose group holds it and not `offset`: who reads the one need not read the other.
fn outside_groups(document: &Document<'_>, mut place: u32, offset: u32) -> u32 {
    loop {
        let branches = document.branches.outwards(place);
        let apart = branches
            .map(|branch| document.branches.branch(branch))
            .filter(|branch| !branch.body.contains_offset(offset))
            .last();
        let Some(branch) = apart else { return place };
        let directive = &document.directives[branch.directive];
        let is_next = directive.kind.continues_group();
        place = directive.range.start.saturating_sub(u32::from(is_next));
    }
}

#[cfg(test)]
mod tests;
