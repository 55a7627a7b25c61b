//! Findings by what is to be done: the same include in 474 files is one problem, and so are eight functions that ask for the same other
//! one. Each is learnt and decided once.

use std::collections::{HashMap, HashSet};

use super::model::{FileReport, FindingReport, Report};
use crate::diagnostic::Severity;

/// One problem: the findings of a rule with one piece of advice.
#[derive(Clone, Debug)]
pub(super) struct Problem<'r> {
    /// The first of its findings.
    pub(super) finding: &'r FindingReport,
    /// Its findings.
    pub(super) places: usize,
    /// Files that they are in.
    pub(super) files: usize,
    /// Findings whose change translation makes.
    pub(super) applied: usize,
    /// What the findings say, each message once: names of CUDA differ where the advice is the same.
    messages: HashSet<&'r str>,
    /// The file that was counted last.
    last: &'r str,
}

/// What findings of one problem have in common: rule, severity and advice, or what they say where they advise nothing.
pub(super) type Key<'r> = (&'static str, Severity, &'r str);

pub(super) fn key(finding: &FindingReport) -> Key<'_> {
    let has_advice = !finding.help.is_empty();
    let text = if has_advice {
        &finding.help
    } else {
        &finding.message
    };
    (finding.code, finding.severity, text)
}

/// Whether a finding is work: neither a note nor known to the baseline.
pub(super) fn needs_work(finding: &FindingReport) -> bool {
    finding.severity > Severity::Info && !finding.is_known()
}

/// The problems of a report: errors first, then those with most places, then in the order of their first places.
pub(super) fn problems(report: &Report) -> Vec<Problem<'_>> {
    let mut numbers = HashMap::new();
    let mut problems: Vec<Problem<'_>> = Vec::new();
    for (file, finding) in report.findings().filter(|(_, finding)| needs_work(finding)) {
        let number = *numbers.entry(key(finding)).or_insert_with(|| {
            problems.push(Problem::of(finding));
            problems.len() - 1
        });
        problems[number].add(file, finding);
    }
    problems.sort_by_key(|problem| {
        let severity = std::cmp::Reverse(problem.finding.severity);
        (severity, std::cmp::Reverse(problem.places))
    });
    problems
}

impl<'r> Problem<'r> {
    fn of(finding: &'r FindingReport) -> Self {
        Self {
            finding,
            places: 0,
            files: 0,
            applied: 0,
            messages: HashSet::new(),
            last: "",
        }
    }

    /// Messages beside the one of `finding`.
    pub(super) fn others(&self) -> usize {
        self.messages.len() - 1
    }

    /// The message of `finding`, and how many others have the same advice.
    pub(super) fn title(&self) -> String {
        let message = &self.finding.message;
        match self.others() {
            0 => message.clone(),
            others => format!("{message}, and {others} more with the same advice"),
        }
    }

    fn add(&mut self, file: &'r FileReport, finding: &'r FindingReport) {
        self.messages.insert(&finding.message);
        self.places += 1;
        self.applied += usize::from(finding.fixable);
        // Findings come by file.
        self.files += usize::from(self.last != file.path);
        self.last = &file.path;
    }
}
