//! SARIF 2.1.0 as GitHub code scanning and the viewers of editors read it: rules with their help, results with places relative to
//! the root of the repository, fingerprints that survive moved lines, fixes as replacements.

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::entries::{Entries, write_pretty};
use super::escape::{is_absolute, uri};
use super::model::{
    BaselineState, Columns, EditReport, FileReport, FindingReport, LabelReport, Report,
};
use super::rule_docs;
use crate::diagnostic::{Group, Severity};
use crate::edit::Applicability;
use crate::rules;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

#[derive(Serialize)]
struct Log<R> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    runs: [Run<R>; 1],
    version: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<R> {
    column_kind: &'static str,
    invocations: [Value; 1],
    results: R,
    tool: Value,
}

pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    // A comparison of two programs has findings, and no rules that are documented.
    let is_rule = |code: &&'static str| rules::find(code).is_some();
    let fired: Vec<&'static str> = report
        .findings()
        .map(|(_, finding)| finding.code)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .filter(is_rule)
        .collect();
    let results = || {
        let findings = report.findings();
        findings.map(|(file, finding)| result(file, finding, &fired))
    };
    let run = Run {
        column_kind: "utf16CodeUnits",
        invocations: [invocation(report)],
        results: Entries(results),
        tool: json!({ "driver": with("informationUri", rules::site(), json!({
            "name": report.tool.name,
            "version": report.tool.version,
            "semanticVersion": report.tool.version,
            "rules": fired.iter().filter_map(|code| rule(code)).collect::<Vec<_>>(),
        }))}),
    };
    let log = Log {
        schema: SCHEMA,
        runs: [run],
        version: "2.1.0",
    };
    write_pretty(&log, out)
}

fn rule(code: &str) -> Option<Value> {
    let (rule, docs) = rules::find(code)?;
    let why = rule_docs::section(docs, "Why on AMD");
    let summary = format!("{}.", rule_docs::summary(docs));
    let rule = json!({
        "id": rule.code,
        "name": pascal(rule.name),
        "shortDescription": { "text": summary },
        "fullDescription": { "text": if why.is_empty() { &summary } else { why } },
        "help": { "text": docs, "markdown": rule_docs::markdown(docs) },
        "defaultConfiguration": { "level": level(rule.severity) },
        "properties": { "tags": tags(rule.group), "problem.severity": problem_severity(rule.severity) },
    });
    Some(with("helpUri", rules::page(code), rule))
}

/// An object with one member more, where there is a value for it.
fn with<T: Into<Value>>(key: &str, value: Option<T>, mut object: Value) -> Value {
    if let Some(value) = value {
        object[key] = value.into();
    }
    object
}

/// `unsupported-api` as `UnsupportedApi`, which the specification wants of names.
fn pascal(name: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('-').map(capital).collect()
}

fn tags(group: Group) -> Vec<String> {
    ["cuda", "hip", group.name()].map(str::to_owned).to_vec()
}

fn result(file: &FileReport, finding: &FindingReport, fired: &[&str]) -> Value {
    let place = json!({
        "artifactLocation": artifact(file),
        "region": region((finding.line, finding.end_line), finding.columns),
        // The whole line, for readers without the sources.
        "contextRegion": { "startLine": finding.line, "snippet": { "text": finding.source_line } },
    });
    let mut result = json!({
        "ruleId": finding.code,
        "level": level(finding.severity),
        "message": { "text": super::message_with_help(finding) },
        "locations": [{ "physicalLocation": place }],
        "partialFingerprints": { "primaryLocationLineHash": finding.fingerprint },
    });
    if let Ok(index) = fired.binary_search(&finding.code) {
        result["ruleIndex"] = json!(index);
    }
    if !finding.labels.is_empty() {
        let related = |(number, label)| related(file, number, label);
        result["relatedLocations"] = finding.labels.iter().enumerate().map(related).collect();
    }
    if !finding.edits.is_empty() {
        result["fixes"] = json!([fix(file, finding)]);
    }
    if let Some(state) = finding.baseline {
        result["baselineState"] = json!(match state {
            BaselineState::New => "new",
            BaselineState::Unchanged => "unchanged",
        });
    }
    result["properties"] = properties(finding);
    result
}

fn related(file: &FileReport, number: usize, label: &LabelReport) -> Value {
    let region = json!({ "startLine": label.line, "startColumn": label.columns.utf16.0 });
    json!({
        "id": number + 1,
        "message": { "text": label.message },
        "physicalLocation": { "artifactLocation": artifact(file), "region": region },
    })
}

fn fix(file: &FileReport, finding: &FindingReport) -> Value {
    let replacement = |edit: &EditReport| {
        json!({
            "deletedRegion": region((edit.start.0, edit.end.0), edit.columns),
            "insertedContent": { "text": edit.content },
        })
    };
    let sureness = match finding.fix {
        Some(Applicability::Safe) => "keeps the program's meaning",
        Some(Applicability::Review) => "compiles, review its meaning",
        Some(Applicability::Manual) | None => "a proposal",
    };
    json!({
        "description": { "text": format!("{}: {sureness}", finding.rule) },
        "artifactChanges": [{
            "artifactLocation": artifact(file),
            "replacements": finding.edits.iter().map(replacement).collect::<Vec<_>>(),
        }],
    })
}

/// What SARIF has no place for.
fn properties(finding: &FindingReport) -> Value {
    let mut bag = Map::new();
    let mut put = |key: &str, text: Option<&str>| {
        text.map(|text| bag.insert(key.to_owned(), json!(text)));
    };
    put("api", finding.api);
    put("library", finding.library);
    bag.insert("applied".to_owned(), json!(finding.applied));
    if !finding.targets.is_empty() {
        bag.insert("targets".to_owned(), json!(finding.targets));
    }
    Value::Object(bag)
}

/// Files that failed, and problems of the run: a reader of the log must not take silence for success.
fn invocation(report: &Report) -> Value {
    let failures = report.files.iter().filter_map(|file| {
        let problem = file.problem.as_ref()?;
        let place = json!({ "physicalLocation": { "artifactLocation": artifact(file) } });
        Some(json!({ "level": "error", "message": { "text": problem }, "locations": [place] }))
    });
    let problems = report
        .problems
        .iter()
        .map(|problem| json!({ "level": "warning", "message": { "text": problem } }));
    json!({
        "executionSuccessful": report.totals.failed == 0,
        "toolExecutionNotifications": failures.chain(problems).collect::<Vec<_>>(),
    })
}

fn artifact(file: &FileReport) -> Value {
    let path = file.place();
    if is_absolute(path) {
        json!({ "uri": uri(path) })
    } else {
        json!({ "uri": uri(path), "uriBaseId": "%SRCROOT%" })
    }
}

fn region((start_line, end_line): (u32, u32), columns: Columns) -> Value {
    let (start, end) = columns.utf16;
    json!({ "startLine": start_line, "startColumn": start, "endLine": end_line, "endColumn": end })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// GitHub's own scale for what is no security matter.
fn problem_severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "recommendation",
    }
}
