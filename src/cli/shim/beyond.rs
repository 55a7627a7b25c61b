//! What of a translation no line of a shim can do.

use crate::diagnostic::{Finding, Judged, Severity};
use crate::engine::route::Reading;
use crate::engine::{FileOutcome, Session, translate};
use crate::mapping::Support;
use crate::rules::{self, Fact};
use crate::shim;
use crate::text::SourceFile;

/// The places of a source that translation changes by other means than names.
pub(super) fn other_changes(source: &SourceFile, session: &Session) -> Vec<String> {
    let outcome = translate(source, session);
    let findings = beyond_names(&Reading::new(source), &outcome, session);
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
    reading: &Reading<'_>,
    outcome: &FileOutcome,
    session: &Session,
) -> Vec<Finding> {
    let used = reading
        .cpp()
        .map(|document| shim::used(document, &session.table))
        .unwrap_or_default();
    let is_beyond = |judged: &&Judged| {
        let word = reading.source.text(judged.range());
        // The header that stands for CUB's brings its namespace.
        let has_line = used.contains_key(&*word) || word == "cub";
        let is_done = rules::find(judged.code()).is_some_and(|(rule, _)| {
            rule.has(Fact::DoneByShim) || has_line && rule.has(Fact::DoneByShimLine)
        });
        shim::is_beyond(judged, is_done)
    };
    let beyond = outcome.findings.iter().filter(is_beyond);
    let mut found: Vec<Finding> = beyond.map(|it| it.finding().clone()).collect();
    let rule = rules::rule_of_support(Support::Full);
    found.extend(reading.cpp().into_iter().flat_map(|document| {
        shim::split_calls(document, &session.table)
            .into_iter()
            .map(|at| {
                let name = String::from_utf8_lossy(document.bytes(at)).into_owned();
                let message =
                    format!("this call of `{name}` is none that one macro serves");
                let range = document.tokens[at].range();
                rule.finding(range, message)
                    .severity(Severity::Error)
                    .help("put an argument with a comma of its own in parentheses; where the number of arguments decides, write the call of HIP")
            })
    }));
    found.sort_by_key(|finding| finding.range);
    found
}
