//! GitLab's code quality report: one JSON array, an object per finding.

use serde_json::{Value, json};

use super::fingerprint::across_files;
use super::model::{FileReport, FindingReport, Report};
use crate::diagnostic::Severity;

pub(super) fn render(report: &Report) -> String {
    let list: Vec<Value> = report
        .findings()
        .map(|(file, finding)| entry(file, finding))
        .collect();
    serde_json::to_string_pretty(&list).expect("plain data") + "\n"
}

fn entry(file: &FileReport, finding: &FindingReport) -> Value {
    let (start, end) = finding.columns.chars;
    json!({
        "description": finding.message,
        "content": { "body": finding.help },
        "check_name": format!("{} {}", finding.code, finding.rule),
        "fingerprint": across_files(file.place(), &finding.fingerprint),
        "severity": severity(finding.severity),
        "categories": ["Compatibility"],
        "type": "issue",
        "location": {
            "path": file.place(),
            "positions": {
                "begin": { "line": finding.line, "column": start },
                "end": { "line": finding.end_line, "column": end },
            },
        },
    })
}

/// GitLab knows info, minor, major, critical and blocker.
fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "critical",
        Severity::Warning => "minor",
        Severity::Info => "info",
    }
}
