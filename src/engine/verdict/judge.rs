//! The door that every finding of a file passes, once: what a person chose, what comments of the file say, which chips are meant.

use crate::diagnostic::{Finding, Hidden, Judged, Severity};
use crate::engine::RuleSettings;
use crate::engine::suppression::Suppressions;
use crate::mapping::chip;
use crate::syntax::Lexed;

/// What decides about the findings of one file.
pub(in crate::engine) struct Judge<'r> {
    settings: &'r RuleSettings,
    targets: &'r [String],
    suppressions: Suppressions,
}

impl<'r> Judge<'r> {
    pub(in crate::engine) fn new(
        document: &Lexed<'_>,
        settings: &'r RuleSettings,
        targets: &'r [String],
    ) -> Self {
        Self {
            settings,
            targets,
            suppressions: Suppressions::new(document),
        }
    }

    /// What comments of the file switch off.
    pub(in crate::engine) fn suppressions(&self) -> &Suppressions {
        &self.suppressions
    }

    /// Lets findings in: those of rules that are off and of other chips stay out, and those that a comment or the selection hides are
    /// marked.
    pub(in crate::engine) fn admit(
        &mut self,
        document: &Lexed<'_>,
        found: impl IntoIterator<Item = Finding>,
    ) -> Vec<Judged> {
        self.admit_judged(document, found.into_iter().map(Judged::new))
    }

    /// The same for findings of a text within the file, about which something was decided already.
    pub(in crate::engine) fn admit_judged(
        &mut self,
        document: &Lexed<'_>,
        found: impl Iterator<Item = Judged>,
    ) -> Vec<Judged> {
        let mut admitted = by_settings(found, self.settings);
        self.suppressions.apply(document, &mut admitted);
        admitted.retain(|it| applies_to(it.finding(), self.targets));
        deselect(&mut admitted, self.settings);
        admitted
    }

    /// Hides findings that were too small for a comment when they came in, and were raised since: their fix is not made.
    pub(in crate::engine) fn hide_raised(&mut self, document: &Lexed<'_>, findings: &mut [Judged]) {
        let is_loud = |it: &&mut Judged| it.is_shown() && it.severity() > Severity::Info;
        let raised = findings.iter_mut().filter(is_loud);
        self.suppressions.apply(document, raised);
    }

    /// What is wrong with the comments themselves, let in last: a comment that hid nothing by then is of no use.
    pub(in crate::engine) fn about_comments(&mut self, document: &Lexed<'_>) -> Vec<Judged> {
        let found = self.suppressions.findings(self.settings);
        self.admit(document, found)
    }

    /// The severity that a person gave to the rule of a finding which was raised inside.
    pub(in crate::engine) fn set_severity(&self, judged: &mut Judged) {
        set_severity(judged, self.settings);
    }
}

/// What a person chose for a file that has no tokens, and so no comments.
pub(in crate::engine) fn without_comments(
    found: Vec<Finding>,
    settings: &RuleSettings,
) -> Vec<Judged> {
    let mut admitted = by_settings(found.into_iter().map(Judged::new), settings);
    deselect(&mut admitted, settings);
    admitted
}

/// Rules that are off, severities that a person set.
fn by_settings(found: impl Iterator<Item = Judged>, settings: &RuleSettings) -> Vec<Judged> {
    let is_on = |it: &Judged| !settings.off.contains(it.code());
    let mut admitted: Vec<Judged> = found.filter(is_on).collect();
    admitted
        .iter_mut()
        .for_each(|judged| set_severity(judged, settings));
    admitted
}

fn set_severity(judged: &mut Judged, settings: &RuleSettings) {
    // What converts safely stays that: a severity is about what a person has to look at.
    if let Some(&severity) = settings.severities.get(judged.code())
        && judged.severity() > Severity::Info
    {
        judged.verdict.severity = severity;
    }
}

/// Whether a finding holds for one of the chips that are converted for.
fn applies_to(finding: &Finding, targets: &[String]) -> bool {
    let is_meant = |target: &String| chip::is_one_of(target, finding.targets);
    finding.targets.is_empty() || targets.is_empty() || targets.iter().any(is_meant)
}

/// Marks the findings of rules that nobody asked for.
fn deselect(admitted: &mut [Judged], settings: &RuleSettings) {
    for judged in admitted {
        if judged.is_shown() && settings.hidden.contains(judged.code()) {
            judged.verdict.hidden = Some(Hidden::Selection);
        }
    }
}
