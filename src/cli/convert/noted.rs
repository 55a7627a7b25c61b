//! What a run leaves in an output about its findings.

use std::path::Path;

use anyhow::Result;

use crate::diagnostic::{Judged, Severity};
use crate::emit::OutputTree;
use crate::engine::FileOutcome;
use crate::port::{FileNotes, Noted, Notes};
use crate::text::SourceFile;

/// Remembers what a run in place said. The sources are gone, so that a later run cannot find it again: what an earlier one said stays until
/// its line changes. A tree of which nothing is left to a person gets no records.
///
/// # Errors
/// When it cannot be written.
pub(super) fn remember_in_place(
    root: &Path,
    files: impl Iterator<Item = (String, FileNotes)>,
) -> Result<()> {
    let mut notes = Notes::read(root);
    let mut has_open = !notes.is_empty();
    for (key, mut now) in files {
        if let Some(earlier) = notes.of(&key) {
            let text = std::fs::read(root.join(&key)).unwrap_or_default();
            let open = earlier.open(&text).into_iter();
            let is_new = |noted: &Noted| {
                let mut known = now.findings.iter();
                !known.any(|known| known.code == noted.code && known.text == noted.text)
            };
            let kept: Vec<Noted> = open
                .filter(|(_, noted)| is_new(noted))
                .map(|(line, noted)| Noted {
                    line,
                    ..noted.clone()
                })
                .collect();
            now.findings.extend(kept);
            now.findings.sort_by_key(|noted| noted.line);
        }
        has_open |= !now.findings.is_empty();
        notes.put(key, now);
    }
    match has_open {
        true => notes.write(&OutputTree::new(root)),
        false => Ok(()),
    }
}

/// What is to be remembered of a file.
pub(super) fn notes(source: &SourceFile, outcome: &FileOutcome) -> FileNotes {
    let asks = |judged: &Judged| judged.severity() > Severity::Info;
    if outcome.edits.is_empty() && !outcome.visible().any(asks) {
        return FileNotes::default();
    }
    let written = outcome.output.as_deref().unwrap_or(&source.bytes);
    let written = SourceFile::new(source.path.clone(), written.to_vec());
    let findings = outcome.visible().filter(|judged| asks(judged));
    let mut findings: Vec<Noted> = findings
        .map(|judged| noted(judged, source, outcome, &written))
        .collect();
    findings.sort_by_key(|noted| noted.line);
    FileNotes {
        shifts: shifts(source, outcome, &written),
        findings,
    }
}

fn noted(
    judged: &Judged,
    source: &SourceFile,
    outcome: &FileOutcome,
    written: &SourceFile,
) -> Noted {
    let range = judged.range();
    let line_of = |offset| written.line_col(outcome.edits.map_offset(offset)).line;
    let (line, last) = (line_of(range.start), line_of(range.end));
    let is_about_file = range.is_empty() && range.start == 0;
    let text = String::from_utf8_lossy(written.line(line).trim_ascii()).into_owned();
    Noted {
        code: judged.code().to_owned(),
        severity: match judged.severity() {
            Severity::Error => "error",
            _ => "warning",
        }
        .to_owned(),
        message: judged.message().into_owned(),
        help: judged.help().into_owned(),
        source_line: source.line_col(range.start).line,
        line: if is_about_file { 0 } else { line },
        more_lines: last.saturating_sub(line),
        text: if is_about_file { String::new() } else { text },
    }
}

/// Where the translation has more or fewer lines than the source.
fn shifts(source: &SourceFile, outcome: &FileOutcome, written: &SourceFile) -> Vec<(u32, i64)> {
    let lines = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count() as i64;
    let (mut found, mut shift) = (Vec::new(), 0);
    for edit in outcome.edits.iter() {
        let more = lines(edit.content.as_bytes()) - lines(source.slice(edit.range));
        if more != 0 {
            shift += more;
            let line = written
                .line_col(outcome.edits.map_offset(edit.range.end))
                .line;
            // Of several at one line the last says what holds from there on.
            if found.last().is_some_and(|(last, _)| *last == line) {
                found.pop();
            }
            found.push((line, shift));
        }
    }
    found
}
