//! Findings that a team knows of: `check` then fails only on new ones.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{BaselineState, Compared, FileReport, FindingReport, Report};

/// The known findings. A finding is known by its file, its rule and the text of its line, so lines above it may come and go.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Baseline {
    /// Version of this format.
    version: u32,
    /// By file, in the order of the report.
    findings: Vec<Known>,
}

/// One known finding; code and message are for people who read the file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    path: String,
    fingerprint: String,
    code: String,
    message: String,
}

impl Baseline {
    /// The findings of a report, all of them.
    pub(crate) fn of(report: &Report) -> Self {
        let known = report.findings().map(|(file, finding)| Known {
            path: file.place().to_owned(),
            fingerprint: finding.fingerprint.clone(),
            code: finding.code.to_owned(),
            message: finding.message.clone(),
        });
        Self {
            version: 1,
            findings: known.collect(),
        }
    }

    /// Reads a stored baseline.
    ///
    /// # Errors
    /// When it is none, or one of a later release.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let baseline: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if baseline.version != 1 {
            return Err(format!(
                "version {} is not known to this release",
                baseline.version
            ));
        }
        Ok(baseline)
    }

    /// The text to store.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("baselines are plain data") + "\n"
    }

    /// Marks each finding as new or known. Findings of a file that is no more (`is_there` says so of a path) are looked for in others:
    /// it may have been renamed.
    pub(crate) fn mark(&self, report: &mut Report, is_there: impl Fn(&str) -> bool) -> Compared {
        let known: BTreeSet<(&str, &str)> = self
            .findings
            .iter()
            .map(|known| (known.path.as_str(), known.fingerprint.as_str()))
            .collect();
        let (mut met, mut files) = (BTreeSet::new(), BTreeSet::new());
        for file in &mut report.files {
            let place = file.place().to_owned();
            for finding in &mut file.findings {
                let by = finding
                    .fingerprints()
                    .find(|it| known.contains(&(place.as_str(), *it)));
                met.extend(by.map(|it| (place.clone(), it.to_owned())));
                finding.baseline = Some(match by {
                    Some(_) => BaselineState::Unchanged,
                    None => BaselineState::New,
                });
            }
            files.insert(place);
        }
        let here = known
            .iter()
            .filter(|(path, _)| files.contains(*path))
            .count();
        let moved = self.mark_moved(report, |path| files.contains(path) || is_there(path));
        let compared = Compared {
            known: met.len() + moved,
            gone: here - met.len(),
        };
        report.baseline = Some(compared);
        compared
    }
}

impl Baseline {
    /// Marks findings as known that files had which are no more, each as often as they had it; how many.
    fn mark_moved(&self, report: &mut Report, is_there: impl Fn(&str) -> bool) -> usize {
        let mut is_gone = BTreeMap::<&str, bool>::new();
        let mut moved = BTreeMap::<&str, usize>::new();
        for known in &self.findings {
            let gone = is_gone.entry(&known.path);
            if *gone.or_insert_with(|| !is_there(&known.path)) {
                *moved.entry(&known.fingerprint).or_default() += 1;
            }
        }
        let mut count = 0;
        let findings = report.files.iter_mut().flat_map(|file| &mut file.findings);
        for finding in findings.filter(|finding| !finding.is_known()) {
            let is_left = |it: &&str| moved.get(it).is_some_and(|left| *left > 0);
            let by = finding.fingerprints().find(is_left);
            if let Some(left) = by.and_then(|it| moved.get_mut(it)) {
                *left -= 1;
                count += 1;
                finding.baseline = Some(BaselineState::Unchanged);
            }
        }
        count
    }
}

impl FindingReport {
    /// What it is known by, and was under other codes.
    fn fingerprints(&self) -> impl Iterator<Item = &str> {
        let former = self.former.iter().map(String::as_str);
        std::iter::once(self.fingerprint.as_str()).chain(former)
    }

    /// Whether the baseline has it.
    pub(crate) fn is_known(&self) -> bool {
        self.baseline == Some(BaselineState::Unchanged)
    }
}

/// The report with only what is new, for formats that cannot say that a finding is known.
pub(super) fn without_known(report: &Report) -> Report {
    let mut report = report.clone();
    let forget = |file: &mut FileReport| file.findings.retain(|finding| !finding.is_known());
    report.files.iter_mut().for_each(forget);
    report
}
