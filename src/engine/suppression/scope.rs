//! What one comment covers.

use super::mark::{Mark, Verb};
use crate::diagnostic::{Finding, Hidden, Judged, Reason, Severity};
use crate::engine::RuleSettings;
use crate::rules::{Event, notice};
use crate::text::TextRange;

/// What one comment covers.
pub(super) struct Scope {
    pub(super) mark: Mark,
    pub(super) reach: Reach,
    /// Whether any finding was covered, and which words have been needed.
    pub(super) used: bool,
    pub(super) used_words: Vec<bool>,
}

pub(super) enum Reach {
    /// First and last line.
    Lines(u32, u32),
    /// Bytes between `off` and `on`.
    Region(TextRange),
    File,
}

impl Scope {
    pub(super) fn apply(&mut self, judged: &mut Judged, lines: [u32; 2]) {
        if !self.mark.covers(judged.code()) {
            return;
        }
        let inside = match self.reach {
            Reach::File => true,
            Reach::Lines(first, last) => lines.iter().any(|line| (first..=last).contains(line)),
            Reach::Region(range) => range.contains_offset(judged.range().start),
        };
        let off = self.mark.verb == Verb::Off;
        if off && !inside && self.is_touched_by(judged) {
            // A fix that reaches into the region from outside is not made; the finding stays for a person to see.
            judged.withhold(Reason::SwitchedOff);
            self.note(judged.code());
            return;
        }
        if !inside || !(off || judged.severity() > Severity::Info) {
            return;
        }
        if off {
            judged.withhold(Reason::SwitchedOff);
        }
        judged.verdict.hidden = Some(Hidden::Comment);
        self.note(judged.code());
    }

    pub(super) fn is_touched_by(&self, judged: &Judged) -> bool {
        let Reach::Region(region) = self.reach else {
            return false;
        };
        let touches = |range: TextRange| range.start < region.end && region.start < range.end;
        let mut edits = judged.fix().into_iter().flat_map(|fix| &fix.edits);
        edits.any(|edit| touches(edit.range))
    }

    pub(super) fn note(&mut self, code: &str) {
        self.used = true;
        for (used, word) in self.used_words.iter_mut().zip(&self.mark.words) {
            *used |= word.codes.contains(&code);
        }
    }

    pub(super) fn unused(&self, settings: &RuleSettings) -> Vec<Finding> {
        if self.mark.words.is_empty() {
            let range = self.mark.range;
            return (!self.used)
                .then(|| useless(range, range, None))
                .into_iter()
                .collect();
        }
        let looked = |codes: &[&'static str]| codes.iter().any(|code| !settings.off.contains(code));
        let words = self.mark.words.iter().zip(&self.used_words);
        words
            .filter(|(word, used)| !**used && looked(&word.codes))
            .map(|(word, _)| useless(word.range, self.mark.range, Some(&word.text)))
            .collect()
    }
}

fn useless(range: TextRange, comment: TextRange, word: Option<&str>) -> Finding {
    notice(&Event::UselessComment {
        range,
        comment,
        word,
    })
}
