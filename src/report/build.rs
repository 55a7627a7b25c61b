use std::collections::{BTreeMap, BTreeSet};

use super::columns::Counter;
use super::excerpt::Excerpt;
use super::figures::{Reference, is_host_source, is_ready, portability, reference};
use super::fingerprint::Fingerprints;
use super::model::*;
use crate::diagnostic::{Hidden, Judged, Reason, Severity};
use crate::edit::EditSet;
use crate::engine::FileOutcome;
use crate::mapping::{Choices, LibraryVendor, library};
use crate::options::Options;
use crate::python::{CellLine, cell_lines};
use crate::rules::find;
use crate::text::keywords::is_keyword;
use crate::text::{Language, SourceFile};

/// Turns the outcome of one file into its report; findings below `show` are counted only.
pub fn file_report(
    source: &SourceFile,
    outcome: &FileOutcome,
    output_name: Option<String>,
    show: Severity,
) -> FileReport {
    let mut report = FileReport {
        path: source.path.clone(),
        output: output_name,
        bytes: source.bytes.len() as u64,
        ..FileReport::default()
    };
    report.counts.guarded = outcome.guarded;
    report.counts.already = outcome.already;
    report.counts.covered = outcome.covered;
    report.switches.clone_from(&outcome.switches);
    report.reaches_runtime = outcome.reaches_runtime;
    report.counts.suppressed = outcome.suppressed;
    outcome
        .findings
        .iter()
        .for_each(|finding| count(finding, &outcome.edits, &mut report));
    report.mentions_cuda = outcome.is_cuda;
    report.is_cuda = outcome.is_cuda && has_cuda(outcome, &report.counts);
    report.action = match (&outcome.output, outcome.is_cuda) {
        (Some(_), _) => Action::Translated,
        (None, true) => Action::Unchanged,
        (None, false) => Action::Copied,
    };
    report.bytes_changed = outcome
        .edits
        .iter()
        .map(|edit| u64::from(edit.range.len()) + edit.content.len() as u64)
        .sum();
    report.lines_changed = lines_changed(source, outcome);
    let after = outcome
        .output
        .as_ref()
        .map(|bytes| SourceFile::new(source.path.clone(), bytes.clone()));
    let shown = outcome
        .visible()
        .filter(|finding| finding.severity() >= show);
    let mut fingerprints = Fingerprints::default();
    let counter = Counter::new(source);
    let cells = match source.language {
        Language::Notebook => cell_lines(&source.bytes),
        _ => Vec::new(),
    };
    report.findings = shown
        .map(|finding| {
            let mut shown = finding_report(&counter, finding, outcome, after.as_ref());
            let line = source.line(shown.line);
            shown.fingerprint = fingerprints.of(finding.code(), shown.line, line);
            let former = find(finding.code()).into_iter();
            let former = former.flat_map(|(rule, _)| rule.rule().former());
            shown.former = former
                .map(|(code, _)| fingerprints.of(code, shown.line, line))
                .collect();
            if let Some(place) = place_in_cell(&cells, finding.range().start) {
                shown.place = place;
            }
            shown
        })
        .collect();
    report
}

/// Whether a file that was read for a word has more of CUDA than that word.
fn has_cuda(outcome: &FileOutcome, counts: &Counts) -> bool {
    let references = counts.already
        + counts.covered
        + counts.safe
        + counts.review
        + counts.manual
        + counts.guarded;
    references > 0
        || counts.suppressed > 0
        || outcome.output.is_some()
        || !outcome.findings.is_empty()
}

/// Where an offset stands in the cells of a notebook; the column counts bytes of the file.
fn place_in_cell(cells: &[CellLine], offset: u32) -> Option<String> {
    let behind = cells.partition_point(|line| line.range.start <= offset);
    let found = &cells[behind.checked_sub(1)?];
    let column = offset - found.range.start + 1;
    (offset <= found.range.end).then(|| format!("cell {}:{}:{column}", found.cell, found.line))
}

fn count(judged: &Judged, edits: &EditSet, report: &mut FileReport) {
    let counts = &mut report.counts;
    match (judged.hidden(), judged.severity()) {
        (Some(Hidden::OtherBuild), _) => {
            counts.other_build += 1;
            return;
        }
        (Some(Hidden::Selection), severity @ (Severity::Warning | Severity::Error)) => {
            counts.deselected += 1;
            report.has_deselected_error |= severity == Severity::Error;
        }
        (Some(_), _) | (None, Severity::Info) => {}
        (None, Severity::Error) => counts.errors += 1,
        (None, Severity::Warning) => counts.warnings += 1,
    }
    if judged.is_shown() && judged.severity() == Severity::Info {
        let was_error = judged.finding().severity == Severity::Error;
        let is_lowered = |reason: &str| was_error && judged.reasons().any(|it| it == reason);
        counts.decided += usize::from(is_lowered(Reason::DecidedByPort.name()));
        let is_left_out = is_lowered(Reason::NotCompiled.name());
        counts.not_compiled += usize::from(is_left_out || is_lowered(Reason::NotLoaded.name()));
        counts.older_library += usize::from(is_lowered(Reason::OlderLibrary.name()));
    }
    let Some(api) = judged.api() else {
        counts.hazards += usize::from(judged.severity() > Severity::Info && judged.is_shown());
        return;
    };
    let class = match reference(judged, edits) {
        Reference::Safe => 0,
        Reference::Review => 1,
        Reference::Manual => 2,
        Reference::Guarded => {
            counts.guarded += 1;
            return;
        }
    };
    *[&mut counts.safe, &mut counts.review, &mut counts.manual][class] += 1;
    report.by_library.entry(api.library).or_default()[class] += 1;
    let is_in_output = judged.is_applied() || api.target == Some(api.name);
    if let Some(target) = api.target.filter(|_| is_in_output && class < 2) {
        if api.library == "headers"
            && !target.is_empty()
            && !report.headers.iter().any(|known| known == target)
        {
            report.headers.push(target.to_owned());
        }
        // What the chosen release leaves out needs no newer one.
        let is_left_out = judged.reasons().any(|it| it == Reason::OlderLibrary.name());
        // A word of C++, `false` for a constant, is in all of them.
        let is_name = !is_keyword(target.as_bytes());
        if let Some(since) = api.rocm_since.filter(|_| is_name && !is_left_out) {
            report
                .rocm
                .entry(since)
                .or_default()
                .insert(target.to_owned());
        }
    }
}

/// Source lines that an edit touches; an edit that inserts whole lines counts those.
fn lines_changed(source: &SourceFile, outcome: &FileOutcome) -> usize {
    let mut lines = BTreeSet::new();
    let mut added = 0;
    for edit in outcome.edits.iter() {
        let inserted = edit.content.matches('\n').count();
        if edit.range.is_empty() && inserted > 0 {
            added += inserted;
        } else {
            let last = edit.range.end.saturating_sub(1).max(edit.range.start);
            lines.extend(source.line_col(edit.range.start).line..=source.line_col(last).line);
        }
    }
    lines.len() + added
}

fn finding_report(
    counter: &Counter<'_>,
    judged: &Judged,
    outcome: &FileOutcome,
    after: Option<&SourceFile>,
) -> FindingReport {
    let source = counter.source();
    let [start, end] = [judged.range().start, judged.range().end].map(|at| source.line_col(at));
    let (rule, _) = find(judged.code()).expect("findings carry codes of rules");
    let source_line = shortened(source.line(start.line));
    let output_line = after
        .map(|after| line_after(after, &outcome.edits, judged.range().start))
        .filter(|line| *line != source_line);
    let edits = judged.fix().into_iter().flat_map(|fix| &fix.edits);
    let labels = judged.labels();
    let api = judged.api();
    FindingReport {
        code: judged.code(),
        rule: rule.name,
        group: rule.group,
        severity: judged.severity(),
        message: judged.message().into_owned(),
        help: judged.help().into_owned(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        range: judged.range(),
        place: format!("{}:{}", start.line, start.column),
        columns: counter.columns(judged.range()),
        fingerprint: String::new(),
        former: Vec::new(),
        baseline: None,
        library: api.map(|api| api.library),
        api: api.map(|api| api.name).filter(|name| !name.is_empty()),
        fix: judged.fix().map(|fix| fix.applicability),
        edits: edits.map(|edit| edit_report(counter, edit)).collect(),
        fixable: judged.is_applied(),
        applied: false,
        reasons: judged.reasons().collect(),
        targets: judged.finding().targets.to_vec(),
        labels: labels.map(|label| label_report(counter, label)).collect(),
        excerpt: Excerpt::new(source, judged),
        source_line,
        output_line,
    }
}

/// The line of the result that a place of the source has become.
fn line_after(after: &SourceFile, edits: &EditSet, offset: u32) -> String {
    let line = after.line_col(edits.map_offset(offset)).line;
    shortened(after.line(line))
}

fn edit_report(counter: &Counter<'_>, edit: &crate::edit::Edit) -> EditReport {
    let source = counter.source();
    let place = |offset| {
        let at = source.line_col(offset);
        (at.line, at.column)
    };
    EditReport {
        range: edit.range,
        content: edit.content.clone().into_owned(),
        start: place(edit.range.start),
        end: place(edit.range.end),
        columns: counter.columns(edit.range),
    }
}

fn label_report(counter: &Counter<'_>, label: &crate::diagnostic::Label) -> LabelReport {
    let source = counter.source();
    let at = source.line_col(label.range.start);
    LabelReport {
        line: at.line,
        column: at.column,
        columns: counter.columns(label.range),
        message: label.message.clone().into_owned(),
    }
}

fn shortened(line: &[u8]) -> String {
    const LONGEST: usize = 400;
    // A character has four bytes at most.
    let start = &line[..line.len().min(4 * LONGEST)];
    String::from_utf8_lossy(start)
        .chars()
        .take(LONGEST)
        .collect()
}

/// Puts the report of a run together from its files, in their order.
#[derive(Debug, Default)]
pub struct Builder {
    report: Report,
    libraries: BTreeMap<&'static str, [usize; 3]>,
    rocm: BTreeMap<crate::mapping::Version, BTreeSet<String>>,
}

impl Builder {
    /// A report without files yet.
    pub fn new(options: Options, problems: Vec<String>) -> Self {
        Self {
            report: Report {
                schema_version: 1,
                options,
                problems,
                ..Report::default()
            },
            ..Self::default()
        }
    }

    /// Says that the run wrote its result.
    #[must_use]
    pub fn writing(mut self, wrote: bool) -> Self {
        self.report.wrote = wrote;
        self
    }

    /// Says what took no part.
    #[must_use]
    pub(crate) fn leaving_out(mut self, left_out: Vec<super::left_out::LeftOut>) -> Self {
        self.report.left_out = left_out;
        self
    }

    /// Says what support for AMD the sources have already.
    #[must_use]
    pub(crate) fn supporting(mut self, supports: Vec<super::HipSupport>) -> Self {
        self.report.hip_support = supports;
        self
    }

    /// Says what was chosen where nobody asked: once, however many of the paths that were named it holds for.
    #[must_use]
    pub(crate) fn choosing(mut self, chosen: Vec<String>) -> Self {
        for choice in chosen {
            if !self.report.chosen.contains(&choice) {
                self.report.chosen.push(choice);
            }
        }
        self
    }

    /// Says what a person should know of the run itself.
    #[must_use]
    pub(crate) fn remarking(mut self, remarks: Vec<String>) -> Self {
        self.report.remarks = remarks;
        self
    }

    /// Says how the output stands.
    #[must_use]
    pub(crate) fn of_port(mut self, port: Option<super::port::PortReport>) -> Self {
        self.report.port = port;
        self
    }

    /// Adds a file.
    pub fn add(&mut self, mut file: FileReport) {
        for finding in &mut file.findings {
            finding.applied = finding.fixable && self.report.wrote;
        }
        let totals = &mut self.report.totals;
        totals.files += 1;
        totals.bytes += file.bytes;
        totals.cuda_files += usize::from(file.is_cuda);
        match file.action {
            Action::Translated => totals.translated += 1,
            Action::Copied | Action::Unchanged => totals.copied += 1,
            Action::Failed => totals.failed += 1,
        }
        totals.ready_files += usize::from(is_ready(&file));
        totals.host_files += usize::from(is_host_source(&file));
        totals.lines_changed += file.lines_changed;
        totals.bytes_changed += file.bytes_changed;
        add_counts(&mut totals.counts, &file.counts);
        for (library, classes) in &file.by_library {
            let sums = self.libraries.entry(library).or_default();
            sums.iter_mut()
                .zip(classes)
                .for_each(|(sum, count)| *sum += count);
        }
        for (version, names) in &file.rocm {
            self.rocm
                .entry(*version)
                .or_default()
                .extend(names.iter().cloned());
        }
        // Also one of which nothing is to be said: a baseline asks whether what it knows of the file is gone.
        if file.mentions_cuda || file.action == Action::Failed || !file.findings.is_empty() {
            self.report.files.push(file);
        }
    }

    /// The finished report.
    pub fn finish(mut self) -> Report {
        self.report.totals.portability = portability(&self.report.totals.counts);
        let switches = self.report.files.iter().flat_map(|file| &file.switches);
        let switches: BTreeSet<&String> = switches.collect();
        self.report.defines = switches.into_iter().cloned().collect();
        self.report.link = links(&self.libraries, &self.report.options.choices);
        self.report.libraries = self
            .libraries
            .iter()
            .map(|(key, [safe, review, manual])| LibraryStats {
                key: (*key).to_owned(),
                title: library::title(key).to_owned(),
                safe: *safe,
                review: *review,
                manual: *manual,
            })
            .collect();
        self.report.libraries.sort_by_key(|library| {
            std::cmp::Reverse(library.safe + library.review + library.manual)
        });
        self.report.rocm = self.rocm.last_key_value().map(|(version, names)| RocmNeed {
            version: version.to_string(),
            because: names.iter().take(5).cloned().collect(),
        });
        self.report
    }
}

fn add_counts(sum: &mut Counts, file: &Counts) {
    sum.already += file.already;
    sum.covered += file.covered;
    sum.safe += file.safe;
    sum.review += file.review;
    sum.manual += file.manual;
    sum.hazards += file.hazards;
    sum.errors += file.errors;
    sum.warnings += file.warnings;
    sum.guarded += file.guarded;
    sum.decided += file.decided;
    sum.not_compiled += file.not_compiled;
    sum.older_library += file.older_library;
    sum.suppressed += file.suppressed;
    sum.deselected += file.deselected;
    sum.other_build += file.other_build;
}

fn links(used: &BTreeMap<&'static str, [usize; 3]>, choices: &Choices) -> Vec<String> {
    let libraries = used
        .iter()
        .filter(|(_, [safe, review, _])| safe + review > 0)
        .filter_map(|(key, _)| library::find(key));
    let flags = libraries.flat_map(|library| {
        if choices.of(library.key) == LibraryVendor::Roc {
            library.roc_link
        } else {
            library.link
        }
    });
    flags
        .map(|flag| (*flag).to_owned())
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}
