//! Findings of a translation that a second look at its result does not see: what was renamed looks like HIP, and what the tool wrote into a
//! build file like somebody's port. Each stays until its line is another one.

use std::collections::BTreeSet;
use std::path::Path;

use crate::cli::recorded::Recorded;
use crate::diagnostic::{Finding, Hidden, Judged, Severity};
use crate::engine::FileOutcome;
use crate::engine::Session;
use crate::engine::route::Reading;
use crate::pipeline::{PlannedFile, Processed, slashed};
use crate::port::{FileNotes, Noted, Notes};
use crate::rules;
use crate::text::{SourceFile, TextRange};

/// What an output remembers of its translation.
pub(super) struct Recalled {
    notes: Notes,
    /// What goes before the names of files to make them names of the output.
    prefix: String,
    /// What folders of the tree remember that were translated in place by themselves, by their paths with `/` at the end; the deepest come
    /// first.
    nested: Vec<(String, Notes)>,
}

impl Recalled {
    /// What the output around a path remembers, and the folders of its files; nothing where there is none.
    pub(super) fn new(path: &Path, files: &[PlannedFile]) -> Self {
        let nested = nested(path, files);
        // A folder is looked at as if a file in it were.
        let inside = match path.is_dir() {
            true => path.join("x"),
            false => path.to_path_buf(),
        };
        let Some((root, name)) = Recorded::around(&inside) else {
            return Self {
                notes: Notes::default(),
                prefix: String::new(),
                nested,
            };
        };
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        Self {
            notes: Notes::read(&root),
            prefix: if folder.is_empty() {
                String::new()
            } else {
                format!("{folder}/")
            },
            nested,
        }
    }

    /// What is remembered of a file.
    fn of(&self, name: &str) -> Option<&FileNotes> {
        let mut nested = self.nested.iter();
        let of_folder =
            nested.find_map(|(folder, notes)| notes.of(name.strip_prefix(folder.as_str())?));
        of_folder.or_else(|| self.notes.of(&format!("{}{name}", self.prefix)))
    }

    /// What was found in a file, with what is remembered of it.
    pub(super) fn recall(
        &self,
        file: &PlannedFile,
        processed: Processed,
        session: &Session,
    ) -> Processed {
        let Some(notes) = self.of(&file.entry.name()) else {
            return processed;
        };
        let (source, mut outcome) = match processed {
            Processed::Source { source, outcome } => (source, outcome),
            // Nothing of CUDA is left in it, so nothing was read.
            Processed::Plain { .. } => match std::fs::read(&file.entry.path) {
                Ok(bytes) => (
                    Box::new(SourceFile::new(file.entry.name(), bytes)),
                    Box::default(),
                ),
                Err(_) => return processed,
            },
            other => return other,
        };
        add(&notes.open(&source.bytes), &source, &mut outcome, session);
        Processed::Source { source, outcome }
    }
}

/// What folders below a root remember of translations in place.
fn nested(root: &Path, files: &[PlannedFile]) -> Vec<(String, Notes)> {
    let folders = files
        .iter()
        .flat_map(|file| file.entry.relative.ancestors());
    let folders: BTreeSet<&Path> = folders
        .skip(1)
        .filter(|it| !it.as_os_str().is_empty())
        .collect();
    let with_notes = folders.into_iter().rev().filter_map(|folder| {
        let place = root.join(folder);
        Notes::are_kept(&place).then(|| (format!("{}/", slashed(folder)), Notes::read(&place)))
    });
    with_notes.collect()
}

/// Adds what is remembered to what was found: that of which nothing is said at its line.
fn add(
    remembered: &[(u32, &Noted)],
    source: &SourceFile,
    outcome: &mut FileOutcome,
    session: &Session,
) {
    let chosen = session.of(&source.path).rules.of(&source.path);
    let mut found = Vec::new();
    for (line, noted) in remembered {
        let Some((rule, _)) = rules::find(&noted.code) else {
            continue;
        };
        let range = range_of(*line, source);
        let severity = match noted.severity.as_str() {
            "error" => Severity::Error,
            _ => Severity::Warning,
        };
        let is_there = |judged: &&mut Judged| {
            let here = source.line_col(judged.range().start).line;
            judged.code() == rule.code && (here == *line || *line == 0)
        };
        // What a comment or a setting hides was seen by somebody; what counts for less than it did counts for as much again.
        if let Some(judged) = outcome.findings.iter_mut().find(is_there) {
            if judged.hidden().is_none() {
                judged.raise(severity);
            }
            continue;
        }
        if !chosen.off.contains(rule.code) {
            let finding = Finding::new(rule.code, severity, range, noted.message.clone());
            found.push(Judged::new(finding.help(noted.help.clone())));
        }
    }
    if found.is_empty() {
        return;
    }
    crate::engine::hide_suppressed(&Reading::new(source), &mut found);
    for judged in &mut found {
        if chosen.hidden.contains(judged.code()) {
            judged.verdict.hidden = Some(Hidden::Selection);
        }
    }
    outcome.is_cuda = true;
    outcome.findings.append(&mut found);
    outcome
        .findings
        .sort_by_key(|judged| (judged.range(), judged.code()));
}

/// The text of a line without its indentation; nothing for the whole file.
fn range_of(line: u32, source: &SourceFile) -> TextRange {
    let start = source.lines().line_start(line).filter(|_| line > 0);
    let Some(start) = start else {
        return TextRange::at(0);
    };
    let text = source.line(line);
    let indent = text.len() - text.trim_ascii_start().len();
    let start = start + indent as u32;
    TextRange::new(start, start + text.trim_ascii().len() as u32)
}
