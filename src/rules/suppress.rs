//! Comments that speak to the tool: `// cass: ignore[CODE] reason`.

use crate::diagnostic::Finding;
use crate::syntax::Document;

/// Takes out the findings that a comment suppresses and returns how many they were.
pub(super) fn apply(document: &Document<'_>, findings: &mut Vec<Finding>) -> usize {
    let marks: Vec<(u32, Vec<String>)> = document
        .comments
        .iter()
        .filter_map(|comment| mark(document, comment))
        .collect();
    if marks.is_empty() {
        return 0;
    }
    let before = findings.len();
    findings.retain(|finding| {
        let line = document.source.line_col(finding.range.start).line;
        !marks.iter().any(|(at, codes)| {
            *at == line
                && (codes.is_empty()
                    || codes
                        .iter()
                        .any(|code| code.eq_ignore_ascii_case(finding.code)))
        })
    });
    before - findings.len()
}

/// The line a comment suppresses (its own) and the codes it names; no codes means all.
fn mark(document: &Document<'_>, comment: &crate::syntax::Token) -> Option<(u32, Vec<String>)> {
    let text = document.source.text(comment.range()).into_owned();
    let rest = text
        .trim_start_matches(['/', '*', ' '])
        .strip_prefix("cass:")?
        .trim_start()
        .strip_prefix("ignore")?;
    let codes = rest
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
        .map_or_else(Vec::new, |(codes, _)| {
            codes
                .split(',')
                .map(|code| code.trim().to_owned())
                .collect()
        });
    Some((document.source.line_col(comment.start).line, codes))
}
