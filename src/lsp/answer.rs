use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticSeverity, Hover, HoverContents, MarkupContent,
    MarkupKind, NumberOrString, Position,
};

use super::place;
use crate::diagnostic::{Judged, Severity};
use crate::engine::FileOutcome;
use crate::engine::Session;
use crate::engine::example;
use crate::mapping::{ApiEntry, Support, Target, library};
use crate::syntax::{TokenKind, lex};
use crate::text::{SourceFile, TextRange};

/// The findings of a document; what converts safely is a hint.
pub(super) fn diagnostics(source: &SourceFile, outcome: &FileOutcome) -> Vec<Diagnostic> {
    outcome
        .visible()
        .map(|finding| diagnostic(source, finding))
        .collect()
}

/// What translation does with the name at a position, and what the tables know of it where it does nothing.
pub(super) fn hover(
    source: &SourceFile,
    outcome: &FileOutcome,
    session: &Session,
    position: Position,
) -> Option<Hover> {
    let at = place::offset(source, position);
    let token = lex(&source.bytes)
        .find(|token| token.kind == TokenKind::Ident && token.start <= at && at < token.end())?;
    let value = match findings_about(outcome, token.range()) {
        Some(said) => said,
        None => known(&source.text(token.range()), session)?,
    };
    let contents = HoverContents::Markup(MarkupContent {
        kind: MarkupKind::Markdown,
        value,
    });
    Some(Hover {
        contents,
        range: Some(place::range(source, token.range())),
    })
}

/// The findings about a name where it stands: the diagnostics there say the same.
fn findings_about(outcome: &FileOutcome, range: TextRange) -> Option<String> {
    let about = outcome.visible().filter(|finding| {
        finding.range() == range || finding.range().start == range.start && finding.api().is_some()
    });
    let say = |finding: &Judged| match &*finding.help() {
        "" => finding.message().to_string(),
        help => format!("{}\n\n{help}", finding.message()),
    };
    let texts: Vec<String> = about.map(say).collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

/// What becomes of a name elsewhere: by the rule that owns it, or by its entry.
fn known(name: &str, session: &Session) -> Option<String> {
    let hit = session.table.get_or_pattern(name.as_bytes());
    let entry = hit.map(|hit| hit.entry);
    let example = match entry {
        Some(entry) => match example::of_entry(entry, session) {
            Some(example) => example,
            None => return Some(described(entry, session)),
        },
        None if session.claims(name.as_bytes()) => example::of_name(name, None, session)?,
        None => return None,
    };
    let mut text = format!("`{}` becomes `{}`", example.cuda, example.hip);
    for (_, message, _) in &example.findings {
        text.push_str("\n\n");
        text.push_str(message);
    }
    Some(text)
}

pub(super) fn diagnostic(source: &SourceFile, finding: &Judged) -> Diagnostic {
    let severity = match finding.severity() {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Info => DiagnosticSeverity::HINT,
    };
    let help = if finding.help().is_empty() {
        String::new()
    } else {
        format!("\n{}", finding.help())
    };
    Diagnostic {
        range: place::range(source, finding.range()),
        severity: Some(severity),
        code: Some(NumberOrString::String(finding.code().to_owned())),
        code_description: crate::rules::page(finding.code())
            .and_then(|page| page.parse().ok())
            .map(|href| CodeDescription { href }),
        source: Some("cass-transpile".to_owned()),
        message: format!("{}{help}", finding.message()),
        ..Diagnostic::default()
    }
}

fn described(entry: &ApiEntry, session: &Session) -> String {
    let target = entry.target(&session.options.choices, session.options.rocm, None);
    let becomes = match (&target, entry.support) {
        (Some(target), Support::Full) => format!("becomes `{}`", target.name),
        (Some(target), _) if entry.result => {
            format!(
                "becomes `{}`, to be reviewed where the result is read",
                target.name
            )
        }
        (Some(target), _) => format!("becomes `{}`, to be reviewed", target.name),
        (None, _) => "has no counterpart on AMD".to_owned(),
    };
    let release = session.options.rocm;
    let is_missing = |target: &Target| !target.rocm.contains(release);
    let missing = match target.as_ref().filter(|target| is_missing(target)) {
        Some(_) => format!("; ROCm {release} does not have it"),
        None => String::new(),
    };
    let since = target
        .and_then(|target| target.rocm.since)
        .map_or_else(String::new, |since| format!(" (ROCm {since})"));
    let note = entry
        .note
        .map_or_else(String::new, |note| format!("\n\n{note}"));
    format!(
        "`{}` ({}) {becomes}{since}{missing}{note}",
        entry.cuda,
        library::title(entry.library)
    )
}
