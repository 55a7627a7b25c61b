//! The door that every finding of a file passes, once: what a person chose, what comments of the file say, which chips are meant.

use crate::diagnostic::{Finding, Hidden, Severity};
use crate::engine::RuleSettings;
use crate::engine::suppression::Suppressions;
use crate::mapping::chip;
use crate::syntax::Document;

/// What decides about the findings of one file.
pub(super) struct Judge<'r> {
    settings: &'r RuleSettings,
    targets: &'r [String],
    suppressions: Suppressions,
}

impl<'r> Judge<'r> {
    pub(super) fn new(
        document: &Document<'_>,
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
    pub(super) fn suppressions(&self) -> &Suppressions {
        &self.suppressions
    }

    /// Lets findings in: those of rules that are off and of other chips stay out, and those that a comment or the selection hides are
    /// marked.
    pub(super) fn admit(
        &mut self,
        document: &Document<'_>,
        mut found: Vec<Finding>,
    ) -> Vec<Finding> {
        apply_settings(&mut found, self.settings);
        self.suppressions.apply(document, &mut found);
        found.retain(|finding| applies_to(finding, self.targets));
        deselect(&mut found, self.settings);
        found
    }

    /// Hides findings that were too small for a comment when they came in, and were raised since: their fix is not made.
    pub(super) fn hide_raised(&mut self, document: &Document<'_>, findings: &mut [Finding]) {
        let is_loud = |it: &&mut Finding| it.hidden.is_none() && it.severity > Severity::Info;
        let raised = findings.iter_mut().filter(is_loud);
        self.suppressions.apply(document, raised);
    }

    /// What is wrong with the comments themselves, let in last: a comment that hid nothing by then is of no use.
    pub(super) fn about_comments(&mut self, document: &Document<'_>) -> Vec<Finding> {
        let found = self.suppressions.findings(self.settings);
        self.admit(document, found)
    }

    /// The severity that a person gave to the rule of a finding which was raised inside.
    pub(super) fn set_severity(&self, finding: &mut Finding) {
        set_severity(finding, self.settings);
    }
}

/// What a person chose for a file that has no tokens, and so no comments.
pub(super) fn by_settings(mut found: Vec<Finding>, settings: &RuleSettings) -> Vec<Finding> {
    apply_settings(&mut found, settings);
    deselect(&mut found, settings);
    found
}

/// Rules that are off, severities that a person set.
fn apply_settings(findings: &mut Vec<Finding>, settings: &RuleSettings) {
    findings.retain(|finding| !settings.off.contains(finding.code));
    findings
        .iter_mut()
        .for_each(|finding| set_severity(finding, settings));
}

fn set_severity(finding: &mut Finding, settings: &RuleSettings) {
    // What converts safely stays that: a severity is about what a person has to look at.
    if let Some(&severity) = settings.severities.get(finding.code)
        && finding.severity > Severity::Info
    {
        finding.severity = severity;
    }
}

/// Whether a finding holds for one of the chips that are converted for.
fn applies_to(finding: &Finding, targets: &[String]) -> bool {
    let is_meant = |target: &String| chip::is_one_of(target, finding.targets);
    finding.targets.is_empty() || targets.is_empty() || targets.iter().any(is_meant)
}

/// Marks the findings of rules that nobody asked for.
fn deselect(findings: &mut [Finding], settings: &RuleSettings) {
    for finding in findings {
        if finding.hidden.is_none() && settings.hidden.contains(finding.code) {
            finding.hidden = Some(Hidden::Selection);
        }
    }
}
