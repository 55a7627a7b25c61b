use std::collections::BTreeMap;

use super::lines::logical_start;
use crate::diagnostic::{Judged, Severity};
use crate::edit::{Edit, EditSet, Fix, apply};
use crate::engine::FileOutcome;
use crate::engine::route::{Reading, comment_sign, has_comments};
use crate::syntax::{Lexed, Token, TokenKind};
use crate::text::{SourceFile, TextRange, from_wide};

/// The result of a translation with a comment `// CASS003: advice` before each line that a person has to change. Comments of an
/// earlier run are replaced, so that annotating twice is annotating once.
pub fn annotated(source: &SourceFile, outcome: &FileOutcome) -> Vec<u8> {
    let result = result_of(source, outcome);
    let document = Reading::new(&result);
    let mut notes = BTreeMap::<u32, Vec<String>>::new();
    for finding in outcome.visible().filter(|finding| needs_a_person(finding)) {
        let at = outcome.edits.map_offset(finding.range().start);
        let line = logical_start(
            &document,
            result.line_col(at.min(result.bytes.len() as u32)).line,
        );
        let notes = notes.entry(line).or_default();
        let text = note(finding);
        if !notes.contains(&text) {
            notes.push(text);
        }
    }
    let mut edits: Vec<Edit> = earlier(&document).map(Edit::delete).collect();
    edits.extend(
        notes
            .into_iter()
            .map(|(line, notes)| comment(&result, line, &notes)),
    );
    applied(&result, edits)
}

/// The result of a translation without the comments of an earlier run.
pub fn without_annotations(source: &SourceFile, outcome: &FileOutcome) -> Vec<u8> {
    let result = result_of(source, outcome);
    let document = Reading::new(&result);
    let edits = earlier(&document).map(Edit::delete).collect();
    applied(&result, edits)
}

fn result_of(source: &SourceFile, outcome: &FileOutcome) -> SourceFile {
    let bytes = outcome.output.as_ref().unwrap_or(&source.bytes);
    source.with_bytes(bytes.clone())
}

fn applied(result: &SourceFile, edits: Vec<Edit>) -> Vec<u8> {
    // In UTF-16 or UTF-32 a comment of ours would be no text.
    if from_wide(&result.bytes).is_some() || !has_comments(result) {
        return result.bytes.clone();
    }
    let fix = Fix::safe(edits);
    apply(
        &result.bytes,
        &EditSet::resolve(&[(0, Some(&fix))], fix.applicability).edits,
    )
}

fn needs_a_person(judged: &Judged) -> bool {
    !judged.is_applied() && judged.severity() > Severity::Info
}

fn note(judged: &Judged) -> String {
    let (code, message, help) = (judged.code(), judged.message(), judged.help());
    let text = format!("{code}: {message}; {help}");
    let words: Vec<&str> = text.split_whitespace().collect();
    // A backslash at the end would make the next line part of the comment.
    words
        .join(" ")
        .trim_end_matches(['\\', ';', ' '])
        .to_owned()
}

fn comment(result: &SourceFile, line: u32, notes: &[String]) -> Edit {
    let start = super::add::content_start(result, line);
    let (indent, newline) = (
        super::add::indent(result, line),
        super::add::newline_at(result, line),
    );
    let lines: Vec<String> = notes
        .iter()
        .map(|note| format!("{indent}{} {note}{newline}", comment_sign(result)))
        .collect();
    Edit::insert(start, lines.concat())
}

/// Whole lines that hold nothing but a comment of ours.
fn earlier<'d>(document: &'d Lexed<'_>) -> impl Iterator<Item = TextRange> + 'd {
    let source = document.source;
    document
        .comments
        .iter()
        .filter(|comment| is_ours(source, comment))
        .filter_map(|comment| {
            let line = source.line_col(comment.start).line;
            let start = super::add::content_start(source, line);
            let before = source.slice(TextRange::new(start, comment.start));
            let end = source
                .lines()
                .line_start(line + 1)
                .unwrap_or(source.bytes.len() as u32);
            let alone =
                before.iter().all(|byte| matches!(byte, b' ' | b'\t')) && end >= comment.end();
            alone.then(|| TextRange::new(start, end))
        })
}

/// `// CASS003: ` with any three digits.
fn is_ours(source: &SourceFile, comment: &Token) -> bool {
    let text = source.slice(comment.range());
    let start = format!("{} CASS", comment_sign(source));
    text.strip_prefix(start.as_bytes()).is_some_and(|rest| {
        comment.kind == TokenKind::LineComment
            && rest.len() > 5
            && rest[..3].iter().all(u8::is_ascii_digit)
            && rest[3..].starts_with(b": ")
    })
}
