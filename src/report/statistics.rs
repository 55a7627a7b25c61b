//! How often each rule fired, or each name was found, or how findings spread over folders.

use std::collections::BTreeMap;

use serde::Serialize;

use super::model::{FileReport, FindingReport, Report};
use crate::diagnostic::Severity;
use crate::edit::Applicability;

/// What findings are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum CountBy {
    /// The rule
    Rule,
    /// The name of CUDA that they are about, or the rule where they are about none
    Name,
    /// The folder of their file
    Folder,
}

/// One rule, name or folder and its findings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FindingCount {
    /// Code of the rule; absent for a folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// Name of the rule, or what else they are counted by.
    pub name: String,
    /// The highest severity among its findings.
    pub severity: Severity,
    /// Its findings.
    pub count: usize,
    /// Files that they are in.
    pub files: usize,
    /// Findings that translation deals with by itself.
    pub fixable: usize,
    /// Findings with a fix that only a person applies.
    pub proposed: usize,
}

/// Counts of findings, most first, then by code and name.
pub fn statistics(report: &Report, by: CountBy) -> Vec<FindingCount> {
    let mut counts: BTreeMap<(Option<&'static str>, &str), (FindingCount, &str)> = BTreeMap::new();
    for (file, finding) in report.findings() {
        let key = key(by, file, finding);
        let (count, last) = counts.entry(key).or_insert_with(|| {
            let none = FindingCount {
                code: key.0,
                name: key.1.to_owned(),
                severity: finding.severity,
                count: 0,
                files: 0,
                fixable: 0,
                proposed: 0,
            };
            (none, "")
        });
        // Findings come by file.
        count.files += usize::from(*last != file.path);
        *last = &file.path;
        add(count, finding);
    }
    let mut list: Vec<FindingCount> = counts.into_values().map(|(count, _)| count).collect();
    list.sort_by_key(|count| std::cmp::Reverse(count.count));
    list
}

fn key<'r>(
    by: CountBy,
    file: &'r FileReport,
    finding: &'r FindingReport,
) -> (Option<&'static str>, &'r str) {
    match (by, finding.api) {
        (CountBy::Rule, _) | (CountBy::Name, None) => (Some(finding.code), finding.rule),
        (CountBy::Name, Some(api)) => (Some(finding.code), api),
        (CountBy::Folder, _) => (None, folder(&file.path)),
    }
}

/// The folder of a file; `.` for one that lies at the top.
fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(folder, _)| folder)
}

fn add(count: &mut FindingCount, finding: &FindingReport) {
    count.severity = count.severity.max(finding.severity);
    count.count += 1;
    count.fixable += usize::from(finding.fixable);
    let is_proposal = finding.fix == Some(Applicability::Manual) && !finding.fixable;
    count.proposed += usize::from(is_proposal);
}

/// The counts as a table for people.
pub fn statistics_table(counts: &[FindingCount]) -> String {
    let width = counts.iter().map(|one| one.count.to_string().len()).max();
    let names = counts.iter().map(|one| one.name.len()).max().unwrap_or(0);
    let width = width.unwrap_or(0);
    let line = |one: &FindingCount| {
        let word = super::plural::word_of(one.severity);
        let code = one
            .code
            .map_or_else(String::new, |code| format!("{code}  "));
        let note = match one.fixable {
            0 => String::new(),
            fixable if fixable == one.count => ", fixed by translation".to_owned(),
            fixable => format!(", {fixable} fixed by translation"),
        };
        let files = match one.files {
            1 => String::new(),
            files => format!(", in {files} files"),
        };
        let name = super::escape::harmless(&one.name);
        format!(
            "{:>width$}  {code}{name:names$}  {word}{files}{note}\n",
            one.count
        )
    };
    counts.iter().map(line).collect()
}
