//! One record of a data set.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::dedup::{hash, key};
use super::level::{Level, Proof};
use super::licence::Licence;
use super::split::{Split, split};
use crate::diagnostic::Severity;
use crate::engine::FileOutcome;
use crate::options::Options;
use crate::report::file_report;
use crate::syntax::{Document, Space};
use crate::text::{SourceFile, TextRange};

/// Version of the format; grows when a field changes its meaning.
const VERSION: u32 = 1;

/// A source and its translation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Pair {
    /// Version of the format.
    pub schema_version: u32,
    /// Identity: the same for the same project, path, kernel and source.
    pub id: String,
    /// The project that splits are made by.
    pub project: String,
    /// Which part of the data set it belongs to.
    pub split: Split,
    /// Path in the tree.
    pub path: String,
    /// Name of the kernel, where the record is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// Where it comes from.
    pub origin: Origin,
    /// Its licence, where one is named.
    pub license: Option<Licence>,
    /// The CUDA source.
    pub source: String,
    /// The HIP result.
    pub result: String,
    /// Edits in terms of the source's bytes.
    pub edits: Vec<PairEdit>,
    /// Rules whose fixes are in the result, and how often.
    pub rules: BTreeMap<String, usize>,
    /// What the tool has to say, its lowest severity left out.
    pub findings: Vec<PairFinding>,
    /// How far it is proven.
    pub proof: Proof,
    /// Key of the source without comments and blanks.
    pub dedup: String,
    /// The first record with the same key, if this is not it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duplicate_of: Option<String>,
    /// Version of the tool.
    pub tool: String,
    /// What the translation was told.
    pub options: Options,
}

/// Where a source comes from.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Origin {
    /// Repository or page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Its commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
}

/// One edit.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PairEdit {
    /// First byte that goes.
    pub start: u32,
    /// The byte behind the last.
    pub end: u32,
    /// What comes instead.
    pub text: String,
}

/// One finding.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PairFinding {
    /// Code of the rule.
    pub code: String,
    /// Its severity.
    pub severity: Severity,
    /// Line in the source, from 1.
    pub line: u32,
    /// What is the matter.
    pub message: String,
    /// Whether its fix is in the result.
    pub applied: bool,
}

/// A record before it is proven, and what else is known of its file.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The record, at level `translated` or `parsed`.
    pub pair: Pair,
    /// It defines `main`.
    pub is_program: bool,
}

/// The record of a translation unit.
pub fn unit(
    source: &SourceFile,
    outcome: &FileOutcome,
    project: &str,
    origin: &Origin,
    license: Option<Licence>,
    options: &Options,
) -> Draft {
    let result = outcome.output.as_deref().unwrap_or(&source.bytes);
    let result = SourceFile::new(source.path.clone(), result.to_vec());
    let document = Document::new(&result);
    let (rules, findings) = applied_and_open(source, outcome);
    let mut pair = Pair {
        schema_version: VERSION,
        id: String::new(),
        project: project.to_owned(),
        split: split(project),
        path: source.path.clone(),
        kernel: None,
        origin: origin.clone(),
        license,
        source: text(&source.bytes),
        result: text(&result.bytes),
        edits: edits(outcome),
        rules,
        findings,
        proof: parsed(&document),
        dedup: key(&source.bytes),
        duplicate_of: None,
        tool: env!("CARGO_PKG_VERSION").to_owned(),
        options: options.clone(),
    };
    pair.id = identity(&pair);
    let is_program = has_main(&document);
    Draft { pair, is_program }
}

/// What the grammar alone proves of a result.
fn parsed(result: &Document<'_>) -> Proof {
    match result.tree().defects().first() {
        None => Proof::of(Level::Parsed, "not tried: no compiler was asked for"),
        Some(defect) => {
            let line = result.source.line_col(defect.start).line;
            Proof::of(
                Level::Translated,
                &format!("the grammar stops at line {line} of the result"),
            )
        }
    }
}

fn edits(outcome: &FileOutcome) -> Vec<PairEdit> {
    let edits = outcome.edits.iter().map(|edit| PairEdit {
        start: edit.range.start,
        end: edit.range.end,
        text: edit.content.clone().into_owned(),
    });
    edits.collect()
}

/// How many fixes each rule made, and the findings that a person should know of.
fn applied_and_open(
    source: &SourceFile,
    outcome: &FileOutcome,
) -> (BTreeMap<String, usize>, Vec<PairFinding>) {
    let (mut rules, mut findings) = (BTreeMap::new(), Vec::new());
    for finding in file_report(source, outcome, None, Severity::Info).findings {
        if finding.fixable {
            *rules.entry(finding.code.to_owned()).or_default() += 1;
        }
        if finding.severity > Severity::Info {
            findings.push(PairFinding {
                code: finding.code.to_owned(),
                severity: finding.severity,
                line: finding.line,
                message: finding.message,
                applied: finding.fixable,
            });
        }
    }
    (rules, findings)
}

fn identity(pair: &Pair) -> String {
    let kernel = pair.kernel.as_deref().unwrap_or_default();
    let parts = [&pair.project, &pair.path, kernel, &pair.source];
    hash(parts.join("\0").as_bytes())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Whether a source defines `main`.
pub(crate) fn has_main(document: &Document<'_>) -> bool {
    let mut functions = document.scopes().iter();
    functions.any(|function| function.name.is_some_and(|name| document.is(name, "main")))
}

/// The records of a unit's kernels: their text alone, with the proof of the unit.
pub fn kernels(unit: &Pair, source: &SourceFile, outcome: &FileOutcome) -> Vec<Pair> {
    let document = Document::new(source);
    let mut found = Vec::new();
    for function in document.scopes().iter() {
        let (Space::Kernel, Some(name)) = (function.space, function.name) else {
            continue;
        };
        let range = document.range(function.head.start, function.body.end - 1);
        found.push(kernel(
            unit,
            (source, outcome),
            range,
            &text(document.bytes(name)),
        ));
    }
    found
}

fn kernel(
    unit: &Pair,
    (source, outcome): (&SourceFile, &FileOutcome),
    range: TextRange,
    name: &str,
) -> Pair {
    let cut = |bytes: &[u8], start: u32, end: u32| {
        text(bytes.get(start as usize..end as usize).unwrap_or_default())
    };
    let result = outcome.output.as_deref().unwrap_or(&source.bytes);
    let (start, end) = (
        outcome.edits.map_offset(range.start),
        outcome.edits.map_offset(range.end),
    );
    let inside = |edit: &&PairEdit| edit.start >= range.start && edit.end <= range.end;
    let edits = unit.edits.iter().filter(inside).map(|edit| PairEdit {
        start: edit.start - range.start,
        end: edit.end - range.start,
        text: edit.text.clone(),
    });
    let lines = source.line_col(range.start).line..=source.line_col(range.end).line;
    let findings = unit
        .findings
        .iter()
        .filter(|finding| lines.contains(&finding.line));
    let mut pair = Pair {
        kernel: Some(name.to_owned()),
        source: cut(&source.bytes, range.start, range.end),
        result: cut(result, start, end),
        edits: edits.collect(),
        rules: BTreeMap::new(),
        findings: findings.cloned().collect(),
        proof: Proof {
            amdgcn: None,
            ptx: None,
            ..unit.proof.clone()
        },
        ..unit.clone()
    };
    pair.dedup = key(pair.source.as_bytes());
    pair.id = identity(&pair);
    pair
}
