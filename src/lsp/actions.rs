//! What an editor offers to do about findings: their fixes, a suppression, an explanation, and the translation of the whole file.

use std::collections::HashMap;

use lsp_types::{
    CodeAction, CodeActionContext, CodeActionKind, CodeActionOrCommand, CodeActionParams, Command,
    TextEdit, Uri, WorkspaceEdit,
};

use super::answer::diagnostic;
use super::change::difference;
use super::place;
use crate::diagnostic::Judged;
use crate::engine::{FileOutcome, suppressing};
use crate::text::SourceFile;

/// The command that explains a rule; its argument is the code.
pub(super) const EXPLAIN: &str = "cass-transpile.explain";

/// What can be done about the findings that touch a range, and with the file.
pub(super) fn actions(
    uri: &Uri,
    source: &SourceFile,
    outcome: &FileOutcome,
    params: &CodeActionParams,
) -> Vec<CodeActionOrCommand> {
    let (start, end) = (
        place::offset(source, params.range.start),
        place::offset(source, params.range.end),
    );
    let touches = |finding: &&Judged| finding.range().start <= end && start <= finding.range().end;
    let findings: Vec<&Judged> = outcome.visible().filter(touches).collect();
    let mut actions = Vec::new();
    if is_asked(&params.context, &CodeActionKind::QUICKFIX) {
        let fixes = findings.iter().filter_map(|one| fix(uri, source, one));
        actions.extend(fixes);
        let ignored = findings
            .iter()
            .filter_map(|one| suppression(uri, source, one));
        actions.extend(ignored);
        actions.extend(findings.iter().map(|one| explanation(source, one)));
    }
    if is_asked(&params.context, &CodeActionKind::SOURCE_FIX_ALL) {
        actions.extend(whole(uri, source, outcome));
    }
    actions
        .into_iter()
        .map(CodeActionOrCommand::CodeAction)
        .collect()
}

/// Whether a kind of action is asked for: `source` asks for `source.fixAll` too.
fn is_asked(context: &CodeActionContext, kind: &CodeActionKind) -> bool {
    let covers = |asked: &CodeActionKind| {
        let rest = kind.as_str().strip_prefix(asked.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            || asked.as_str().is_empty()
    };
    context
        .only
        .as_ref()
        .is_none_or(|only| only.iter().any(covers))
}

fn fix(uri: &Uri, source: &SourceFile, finding: &Judged) -> Option<CodeAction> {
    let fix = finding.fix()?;
    let edits = fix.edits.iter().map(|edit| TextEdit {
        range: place::range(source, edit.range),
        new_text: edit.content.clone().into_owned(),
    });
    let title = finding.message().replace('`', "");
    Some(CodeAction {
        title: format!("{}: {title}", finding.code()),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic(source, finding)]),
        edit: Some(edit_of(uri, edits.collect())),
        ..CodeAction::default()
    })
}

/// A comment that silences the finding. It has no reason: only who chooses this knows one, and writes it behind the code.
fn suppression(uri: &Uri, source: &SourceFile, finding: &Judged) -> Option<CodeAction> {
    let text = suppressing(source, &[finding], "")?;
    Some(CodeAction {
        title: format!("{}: ignore here", finding.code()),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic(source, finding)]),
        edit: Some(replaced(uri, source, &text)),
        ..CodeAction::default()
    })
}

fn explanation(source: &SourceFile, finding: &Judged) -> CodeAction {
    let title = format!("{}: explain", finding.code());
    let command = Command::new(
        title.clone(),
        EXPLAIN.to_owned(),
        Some(vec![finding.code().into()]),
    );
    CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic(source, finding)]),
        command: Some(command),
        ..CodeAction::default()
    }
}

/// The translation of the file: all fixes that it makes, at once.
fn whole(uri: &Uri, source: &SourceFile, outcome: &FileOutcome) -> Option<CodeAction> {
    let text = outcome.output.as_ref()?;
    Some(CodeAction {
        title: "Translate this file to HIP".to_owned(),
        kind: Some(CodeActionKind::SOURCE_FIX_ALL),
        edit: Some(replaced(uri, source, text)),
        ..CodeAction::default()
    })
}

fn replaced(uri: &Uri, source: &SourceFile, text: &[u8]) -> WorkspaceEdit {
    let (range, new_text) = difference(source, text);
    let range = place::range(source, range);
    edit_of(uri, vec![TextEdit { range, new_text }])
}

fn edit_of(uri: &Uri, edits: Vec<TextEdit>) -> WorkspaceEdit {
    #[expect(
        clippy::mutable_key_type,
        reason = "the protocol's type: a URI caches its parts"
    )]
    let changes = HashMap::from([(uri.clone(), edits)]);
    WorkspaceEdit::new(changes)
}
