//! The editor server: diagnostics, quick fixes and hover over the language server protocol. Messages in, messages out: it neither
//! reads nor writes a stream, so a test can speak to it.

mod actions;
mod answer;
mod change;
mod place;
mod wire;

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use lsp_server::{Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, Notification as _,
    PublishDiagnostics,
};
use lsp_types::request::{
    CodeActionRequest, DocumentDiagnosticRequest, ExecuteCommand, HoverRequest, Request as _,
};
use lsp_types::{
    ClientCapabilities, CodeActionKind, CodeActionOptions, CodeActionProviderCapability,
    DiagnosticOptions, DiagnosticServerCapabilities, DocumentDiagnosticReport,
    ExecuteCommandOptions, FullDocumentDiagnosticReport, HoverProviderCapability,
    PublishDiagnosticsParams, ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions, Uri,
};
use serde::de::DeserializeOwned;

use crate::engine::FileOutcome;
use crate::engine::Session;
use crate::engine::translate;
use crate::rules;
use crate::text::{SourceFile, number};

pub use wire::{Received, read};

/// The server: open documents and the session they are translated in.
pub struct Server {
    session: Session,
    /// The folder that the session's files lie in, with `/` at its end and none in front; empty for a session without a tree.
    root: String,
    documents: HashMap<Uri, Open>,
    /// The editor asks for diagnostics; sent unasked as well they would be shown twice.
    asks: bool,
}

/// An open document and what translation makes of it.
struct Open {
    source: SourceFile,
    outcome: FileOutcome,
}

impl Server {
    /// A server without open documents.
    pub fn new(session: Session) -> Self {
        Self {
            session,
            root: String::new(),
            documents: HashMap::new(),
            asks: false,
        }
    }

    /// Notes what the editor can do.
    pub(crate) fn introduce(&mut self, client: &ClientCapabilities) {
        let document = client.text_document.as_ref();
        self.asks = document.is_some_and(|can| can.diagnostic.is_some());
    }

    /// The same for a session that knows the tree in the folder `root`, an absolute path with slashes.
    #[must_use]
    pub(crate) fn of_tree(self, root: &str) -> Self {
        let root = format!("{}/", root.trim_matches('/'));
        Self { root, ..self }
    }

    /// Goes on with another session over the same tree. What comes back tells editors that do not ask what the open documents are now.
    pub(crate) fn renew(&mut self, session: Session) -> Vec<Message> {
        self.session = session;
        let mut open: Vec<(Uri, Open)> = self.documents.drain().collect();
        open.sort_by(|(a, _), (b, _)| a.as_str().cmp(b.as_str()));
        let again = open
            .into_iter()
            .filter_map(|(uri, open)| self.update(uri, open.source.bytes));
        again.collect()
    }

    /// What the server can do, for the handshake.
    pub fn capabilities() -> ServerCapabilities {
        ServerCapabilities {
            text_document_sync: Some(TextDocumentSyncCapability::Options(
                TextDocumentSyncOptions {
                    open_close: Some(true),
                    change: Some(TextDocumentSyncKind::INCREMENTAL),
                    save: Some(TextDocumentSyncSaveOptions::Supported(true)),
                    ..TextDocumentSyncOptions::default()
                },
            )),
            code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
                code_action_kinds: Some(vec![
                    CodeActionKind::QUICKFIX,
                    CodeActionKind::SOURCE_FIX_ALL,
                ]),
                ..CodeActionOptions::default()
            })),
            execute_command_provider: Some(ExecuteCommandOptions {
                commands: vec![actions::EXPLAIN.to_owned()],
                ..ExecuteCommandOptions::default()
            }),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            diagnostic_provider: Some(DiagnosticServerCapabilities::Options(DiagnosticOptions {
                identifier: Some("cass-transpile".to_owned()),
                ..DiagnosticOptions::default()
            })),
            ..ServerCapabilities::default()
        }
    }

    /// Takes note of an event; the answer, if there is one, is to be sent.
    pub fn notice(&mut self, notification: Notification) -> Option<Message> {
        match notification.method.as_str() {
            DidOpenTextDocument::METHOD => {
                let opened: lsp_types::DidOpenTextDocumentParams = parsed(notification.params)?;
                self.update(
                    opened.text_document.uri,
                    opened.text_document.text.into_bytes(),
                )
            }
            DidChangeTextDocument::METHOD => {
                let changed: lsp_types::DidChangeTextDocumentParams = parsed(notification.params)?;
                let uri = changed.text_document.uri;
                let known = self.documents.remove(&uri);
                let known = known.map_or_else(Vec::new, |open| open.source.bytes);
                let text = change::changed(known, changed.content_changes);
                self.update(uri, text)
            }
            DidCloseTextDocument::METHOD => {
                let closed: lsp_types::DidCloseTextDocumentParams = parsed(notification.params)?;
                self.documents.remove(&closed.text_document.uri);
                self.published(closed.text_document.uri, Vec::new())
            }
            _ => None,
        }
    }

    /// Answers a request; one that the server does not know gets an error, as the protocol asks.
    pub fn answer(&self, request: Request) -> Message {
        let id = request.id.clone();
        catch_unwind(AssertUnwindSafe(|| self.answered(request))).unwrap_or_else(|_| {
            let message = "the server broke down on this request, which is a bug".to_owned();
            Response::new_err(id, lsp_server::ErrorCode::InternalError as i32, message).into()
        })
    }

    fn answered(&self, request: Request) -> Message {
        let result = match request.method.as_str() {
            HoverRequest::METHOD => {
                parsed(request.params).map(|params| serde_json::to_value(self.hover(&params)))
            }
            DocumentDiagnosticRequest::METHOD => {
                parsed(request.params).map(|params| serde_json::to_value(self.report(&params)))
            }
            CodeActionRequest::METHOD => {
                parsed(request.params).map(|params| serde_json::to_value(self.actions(&params)))
            }
            ExecuteCommand::METHOD => {
                parsed(request.params).map(|params| serde_json::to_value(explained(&params)))
            }
            method => {
                let message = format!("`{method}` is not offered");
                return Response::new_err(
                    request.id,
                    lsp_server::ErrorCode::MethodNotFound as i32,
                    message,
                )
                .into();
            }
        };
        match result {
            Some(Ok(value)) => Response {
                id: request.id,
                result: Some(value),
                error: None,
            }
            .into(),
            _ => Response::new_err(
                request.id,
                lsp_server::ErrorCode::InvalidParams as i32,
                "parameters cannot be read".into(),
            )
            .into(),
        }
    }

    fn update(&mut self, uri: Uri, text: Vec<u8>) -> Option<Message> {
        let path = decoded(uri.path().as_str().trim_start_matches('/'));
        let path = path.strip_prefix(&self.root).unwrap_or(&path).to_owned();
        let source = SourceFile::new(path, text);
        // A file that the translation breaks down on has no findings; the next change of it may have some.
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            translate(&source, self.session.of(&source.path))
        }));
        let outcome = outcome.unwrap_or_default();
        let open = Open { source, outcome };
        let diagnostics = answer::diagnostics(&open.source, &open.outcome);
        self.documents.insert(uri.clone(), open);
        self.published(uri, diagnostics)
    }

    /// What an editor gets that asks: of a document that is not open, nothing.
    fn report(&self, params: &lsp_types::DocumentDiagnosticParams) -> DocumentDiagnosticReport {
        let open = self.documents.get(&params.text_document.uri);
        let items = open.map(|open| answer::diagnostics(&open.source, &open.outcome));
        DocumentDiagnosticReport::Full(lsp_types::RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: FullDocumentDiagnosticReport {
                result_id: None,
                items: items.unwrap_or_default(),
            },
        })
    }

    /// What is sent to an editor that does not ask.
    fn published(&self, uri: Uri, diagnostics: Vec<lsp_types::Diagnostic>) -> Option<Message> {
        (!self.asks).then(|| published(uri, diagnostics))
    }

    fn hover(&self, params: &lsp_types::HoverParams) -> Option<lsp_types::Hover> {
        let place = &params.text_document_position_params;
        let open = self.documents.get(&place.text_document.uri)?;
        let session = self.session.of(&open.source.path);
        answer::hover(&open.source, &open.outcome, session, place.position)
    }

    fn actions(&self, params: &lsp_types::CodeActionParams) -> Vec<lsp_types::CodeActionOrCommand> {
        let uri = &params.text_document.uri;
        self.documents.get(uri).map_or_else(Vec::new, |open| {
            actions::actions(uri, &open.source, &open.outcome, params)
        })
    }
}

/// The documentation of the rule that a command names, as Markdown.
fn explained(params: &lsp_types::ExecuteCommandParams) -> Option<Explained> {
    let code = params.arguments.first()?.as_str()?;
    let (rule, docs) = rules::find(code)?;
    Some(Explained {
        title: format!("{} {}", rule.code, rule.name),
        markdown: docs,
        page: rules::page(rule.code),
    })
}

/// What the command that explains a rule returns.
#[derive(serde::Serialize)]
struct Explained {
    title: String,
    markdown: &'static str,
    page: Option<String>,
}

/// The path that a URI spells: `c%2B%2B/x%2Ecu`. What decodes to no UTF-8 is replaced.
fn decoded(path: &str) -> String {
    let (mut bytes, mut rest) = (Vec::with_capacity(path.len()), path);
    while let Some((before, behind)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        let byte = behind.get(..2).and_then(number::hex);
        bytes.push(byte.map_or(b'%', |byte| byte as u8));
        rest = byte.map_or(behind, |_| &behind[2..]);
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

fn parsed<T: DeserializeOwned>(params: serde_json::Value) -> Option<T> {
    serde_json::from_value(params).ok()
}

fn published(uri: Uri, diagnostics: Vec<lsp_types::Diagnostic>) -> Message {
    let params = PublishDiagnosticsParams {
        uri,
        diagnostics,
        version: None,
    };
    Notification::new(PublishDiagnostics::METHOD.to_owned(), params).into()
}
