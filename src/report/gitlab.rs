//! GitLab's code quality report: one JSON array, an object per finding.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::entries::{Entries, write_pretty};
use super::fingerprint::across_files;
use super::model::{FileReport, FindingReport, Report};
use crate::diagnostic::Severity;

pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let list = Entries(|| {
        let findings = report.findings();
        findings.map(|(file, finding)| entry(file, finding))
    });
    write_pretty(&list, out)
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
