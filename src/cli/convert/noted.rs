//! What a run leaves in an output about its findings.

use crate::diagnostic::{Judged, Severity};
use crate::engine::FileOutcome;
use crate::port::{FileNotes, Noted};
use crate::text::SourceFile;

/// What is to be remembered of a file; `written` is its translation.
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
            found.push((line, shift));
        }
    }
    found
}
