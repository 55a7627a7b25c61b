//! Reviewdog's diagnostic format: findings with suggestions that a reviewer applies with one click. Its columns count bytes, as ours.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

use super::entries::{Entries, write_pretty};
use super::model::{EditReport, FileReport, FindingReport, Report};
use crate::diagnostic::Severity;

#[derive(Serialize)]
struct Outcome<D> {
    diagnostics: D,
    source: Value,
}

pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let diagnostics = || {
        let findings = report.findings();
        let findings = findings.map(|(file, finding)| diagnostic(file, finding));
        findings.chain(report.files.iter().filter_map(failure))
    };
    let outcome = Outcome {
        diagnostics: Entries(diagnostics),
        source: json!({ "name": report.tool.name }),
    };
    write_pretty(&outcome, out)
}

fn diagnostic(file: &FileReport, finding: &FindingReport) -> Value {
    let mut value = json!({
        "message": super::message_with_help(finding),
        "location": {
            "path": file.place(),
            "range": range((finding.line, finding.column), (finding.end_line, finding.end_column)),
        },
        "severity": severity(finding.severity),
        "code": { "value": finding.code },
    });
    if let Some(suggestion) = suggestion(finding) {
        value["suggestions"] = json!([suggestion]);
    }
    value
}

fn failure(file: &FileReport) -> Option<Value> {
    let problem = file.problem.as_ref()?;
    Some(json!({ "message": problem, "location": { "path": file.place() }, "severity": "ERROR" }))
}

/// A fix as one replacement. Suggestions are alternatives to each other, so the parts of a fix must not become several; parts on
/// one line are joined with the text between them, and a fix that spreads over lines whose text the report lacks is not suggested.
fn suggestion(finding: &FindingReport) -> Option<Value> {
    let (first, last) = (finding.edits.first()?, finding.edits.last()?);
    let mut text = String::new();
    let mut before: Option<&EditReport> = None;
    for edit in &finding.edits {
        if let Some(before) = before {
            text.push_str(between(finding, before.end, edit.start)?);
        }
        text.push_str(&edit.content);
        before = Some(edit);
    }
    Some(json!({ "range": range(first.start, last.end), "text": text }))
}

fn between(finding: &FindingReport, from: (u32, u32), to: (u32, u32)) -> Option<&str> {
    let (from_column, to_column) = (from.1 as usize - 1, to.1 as usize - 1);
    let is_here = from.0 == finding.line && to.0 == finding.line;
    // With a replaced character before it a byte column points elsewhere.
    let is_exact = is_here && !finding.source_line.contains('\u{fffd}');
    is_exact.then(|| finding.source_line.get(from_column..to_column))?
}

fn range(start: (u32, u32), end: (u32, u32)) -> Value {
    json!({
        "start": { "line": start.0, "column": start.1 },
        "end": { "line": end.0, "column": end.1 },
    })
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "ERROR",
        Severity::Warning => "WARNING",
        Severity::Info => "INFO",
    }
}
