//! Findings that a team knows of: `check` then fails only on new ones.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{BaselineState, Compared, FileReport, FindingReport, Report};

/// The known findings. A finding is known by its file, its rule and the text of its line, so lines above it may come and go.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
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
    pub fn of(report: &Report) -> Self {
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
    pub fn parse(text: &str) -> Result<Self, String> {
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
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("baselines are plain data") + "\n"
    }

    /// Marks each finding as new or known.
    pub fn mark(&self, report: &mut Report) -> Compared {
        let known: BTreeSet<(&str, &str)> = self
            .findings
            .iter()
            .map(|known| (known.path.as_str(), known.fingerprint.as_str()))
            .collect();
        let (mut met, mut files) = (BTreeSet::new(), BTreeSet::new());
        for file in &mut report.files {
            let place = file.place().to_owned();
            for finding in &mut file.findings {
                let is_known = known.contains(&(place.as_str(), finding.fingerprint.as_str()));
                finding.baseline = Some(if is_known {
                    BaselineState::Unchanged
                } else {
                    BaselineState::New
                });
                if is_known {
                    met.insert((place.clone(), finding.fingerprint.clone()));
                }
            }
            files.insert(place);
        }
        let here = known
            .iter()
            .filter(|(path, _)| files.contains(*path))
            .count();
        let compared = Compared {
            known: met.len(),
            gone: here - met.len(),
        };
        report.baseline = Some(compared);
        compared
    }
}

impl FindingReport {
    /// Whether the baseline has it.
    pub fn is_known(&self) -> bool {
        self.baseline == Some(BaselineState::Unchanged)
    }
}

/// The report with only what is new, for formats that cannot say that a finding is known.
pub(super) fn only_new(report: &Report) -> Report {
    let mut report = report.clone();
    let forget = |file: &mut FileReport| file.findings.retain(|finding| !finding.is_known());
    report.files.iter_mut().for_each(forget);
    report
}
