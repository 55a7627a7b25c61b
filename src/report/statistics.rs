//! How often each rule fired.

use std::collections::BTreeMap;

use serde::Serialize;

use super::model::{FindingReport, Report};
use crate::diagnostic::Severity;
use crate::edit::Applicability;

/// One rule and its findings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleCount {
    /// Code of the rule.
    pub code: &'static str,
    /// Name of the rule.
    pub name: &'static str,
    /// The highest severity among its findings.
    pub severity: Severity,
    /// Its findings.
    pub count: usize,
    /// Findings that translation deals with by itself.
    pub applied: usize,
    /// Findings with a fix that only a person applies.
    pub proposed: usize,
}

/// Findings by rule, most first, then by code.
pub fn statistics(report: &Report) -> Vec<RuleCount> {
    let mut rules: BTreeMap<&str, RuleCount> = BTreeMap::new();
    for (_, finding) in report.findings() {
        let rule = rules.entry(finding.code).or_insert(RuleCount {
            code: finding.code,
            name: finding.rule,
            severity: finding.severity,
            count: 0,
            applied: 0,
            proposed: 0,
        });
        add(rule, finding);
    }
    let mut list: Vec<RuleCount> = rules.into_values().collect();
    list.sort_by_key(|rule| std::cmp::Reverse(rule.count));
    list
}

fn add(rule: &mut RuleCount, finding: &FindingReport) {
    rule.severity = rule.severity.max(finding.severity);
    rule.count += 1;
    rule.applied += usize::from(finding.applied);
    let is_proposal = finding.fix == Some(Applicability::Manual) && !finding.applied;
    rule.proposed += usize::from(is_proposal);
}

/// The counts as a table for people.
pub fn statistics_table(rules: &[RuleCount]) -> String {
    let width = rules.iter().map(|rule| rule.count.to_string().len()).max();
    let names = rules.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
    let width = width.unwrap_or(0);
    let line = |rule: &RuleCount| {
        let word = super::text::word_of(rule.severity);
        let note = match rule.applied {
            0 => String::new(),
            applied if applied == rule.count => ", fixed by translation".to_owned(),
            applied => format!(", {applied} fixed by translation"),
        };
        format!(
            "{:>width$}  {}  {:names$}  {word}{note}\n",
            rule.count, rule.code, rule.name
        )
    };
    rules.iter().map(line).collect()
}
