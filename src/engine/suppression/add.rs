use std::collections::{BTreeMap, BTreeSet};

use super::lines::logical_start;
use crate::diagnostic::Judged;
use crate::edit::{Edit, EditSet, Fix, apply};
use crate::engine::route::{Reading, comment_sign, has_comments};
use crate::text::{SourceFile, from_wide};

/// The file with an `ignore-next-line` comment before each line of `findings`; `None` when there are none, and for a
/// file without comments, or in UTF-16 or UTF-32, of which no comment would be text.
///
/// The comment goes before the line on which the statement's text starts as the preprocessor sees it: before a `#define` and not
/// between its continuation lines, before a raw string and not into it. Line ends and indentation are those of that line.
pub fn suppressing(source: &SourceFile, findings: &[&Judged], reason: &str) -> Option<Vec<u8>> {
    if from_wide(&source.bytes).is_some() || !has_comments(source) {
        return None;
    }
    let document = Reading::new(source);
    let mut lines = BTreeMap::<u32, BTreeSet<&str>>::new();
    for finding in findings {
        let line = source.line_col(finding.range().start).line;
        lines
            .entry(logical_start(&document, line))
            .or_default()
            .insert(finding.code());
    }
    let edits: Vec<Edit> = lines
        .into_iter()
        .map(|(line, codes)| comment(source, line, &codes, reason))
        .collect();
    let fix = Fix::safe(edits);
    let edits = EditSet::resolve(&[(0, Some(&fix))], fix.applicability).edits;
    (!edits.is_empty()).then(|| apply(&source.bytes, &edits))
}

fn comment(source: &SourceFile, line: u32, codes: &BTreeSet<&str>, reason: &str) -> Edit {
    let codes: Vec<&str> = codes.iter().copied().collect();
    let reason = clean(reason);
    let blank = if reason.is_empty() { "" } else { " " };
    let (indent, newline) = (indent(source, line), newline_at(source, line));
    Edit::insert(
        content_start(source, line),
        format!(
            "{indent}{} cass: ignore-next-line[{}]{blank}{reason}{newline}",
            comment_sign(source),
            codes.join(",")
        ),
    )
}

/// Where a line starts, behind the byte order mark.
pub(super) fn content_start(source: &SourceFile, line: u32) -> u32 {
    let start = source.lines().line_start(line).unwrap_or(0);
    let has_mark = start == 0 && source.bytes.starts_with(b"\xef\xbb\xbf");
    if has_mark { 3 } else { start }
}

/// The blanks that a line starts with.
pub(crate) fn indent(source: &SourceFile, line: u32) -> String {
    let start = content_start(source, line) as usize;
    let blanks = source.bytes[start..].iter();
    blanks
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .map(|&byte| char::from(byte))
        .collect()
}

/// A reason on one line; a backslash at its end would swallow the next line.
fn clean(reason: &str) -> String {
    let words: Vec<&str> = reason.split_whitespace().collect();
    words.join(" ").trim_end_matches(['\\', ' ']).to_owned()
}

/// The line end of a line; that of the line before where it is the last.
pub(super) fn newline_at(source: &SourceFile, line: u32) -> &'static str {
    let index = source.lines();
    let end = index
        .line_start(line + 1)
        .or_else(|| index.line_start(line).filter(|&start| start > 0));
    let is_crlf = end.is_some_and(|end| source.bytes[..end as usize].ends_with(b"\r\n"));
    if is_crlf { "\r\n" } else { "\n" }
}
