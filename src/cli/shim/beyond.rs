//! What of a translation no line of a shim can do.

use crate::diagnostic::{Finding, Severity};
use crate::engine::{FileOutcome, Session, translate};
use crate::rules;
use crate::shim;
use crate::syntax::Document;
use crate::text::SourceFile;

/// The places of a source that translation changes by other means than names.
pub(super) fn other_changes(source: &SourceFile, session: &Session) -> Vec<String> {
    let outcome = translate(source, session);
    let findings = beyond_names(&Document::new(source), &outcome, session);
    let place = |finding: &Finding| {
        let at = source.line_col(finding.range.start);
        format!(
            "{}:{}:{}: {}",
            source.path, at.line, at.column, finding.message
        )
    };
    findings.iter().map(place).collect()
}

/// What of a translation no line of a shim can do, by position.
pub(in crate::cli) fn beyond_names(
    document: &Document<'_>,
    outcome: &FileOutcome,
    session: &Session,
) -> Vec<Finding> {
    let used = shim::used(document, &session.table);
    let is_beyond = |finding: &&Finding| {
        let name = rules::find(finding.code).map_or("", |(rule, _)| rule.name);
        let word = document.source.text(finding.range);
        let has_line = used.contains_key(&*word);
        shim::is_beyond(finding, name, &word, has_line)
    };
    let mut found: Vec<Finding> = outcome.findings.iter().filter(is_beyond).cloned().collect();
    let code = rules::find("rename-api").map_or("", |(rule, _)| rule.code);
    found.extend(
        shim::split_calls(document, &session.table)
            .into_iter()
            .map(|at| {
                let name = String::from_utf8_lossy(document.bytes(at)).into_owned();
                let message =
                    format!("this call of `{name}` is none that one macro serves");
                let range = document.tokens[at].range();
                Finding::new(code, Severity::Error, range, message)
                    .help("put an argument with a comma of its own in parentheses; where the number of arguments decides, write the call of HIP")
            }),
    );
    found.sort_by_key(|finding| finding.range);
    found
}
