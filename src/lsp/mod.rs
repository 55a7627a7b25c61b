//! The editor server: diagnostics, quick fixes and hover over the language server protocol. Messages in, messages out: it neither
//! reads nor writes a stream, so a test can speak to it.

mod answer;
mod place;

use std::collections::HashMap;

use lsp_server::{Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, Notification as _,
    PublishDiagnostics,
};
use lsp_types::request::{CodeActionRequest, HoverRequest, Request as _};
use lsp_types::{
    CodeActionProviderCapability, HoverProviderCapability, PublishDiagnosticsParams,
    ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind, Uri,
};
use serde::de::DeserializeOwned;

use crate::engine::FileOutcome;
use crate::engine::Session;
use crate::engine::translate;
use crate::text::SourceFile;

/// The server: open documents and the session they are translated in.
pub struct Server {
    session: Session,
    documents: HashMap<Uri, Open>,
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
            documents: HashMap::new(),
        }
    }

    /// What the server can do, for the handshake.
    pub fn capabilities() -> ServerCapabilities {
        ServerCapabilities {
            text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
            code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            ..ServerCapabilities::default()
        }
    }

    /// Takes note of an event; the answer, if there is one, is to be sent.
    pub fn notice(&mut self, notification: Notification) -> Option<Message> {
        match notification.method.as_str() {
            DidOpenTextDocument::METHOD => {
                let opened: lsp_types::DidOpenTextDocumentParams = read(notification.params)?;
                self.update(opened.text_document.uri, opened.text_document.text)
            }
            DidChangeTextDocument::METHOD => {
                let mut changed: lsp_types::DidChangeTextDocumentParams =
                    read(notification.params)?;
                self.update(
                    changed.text_document.uri,
                    changed.content_changes.pop()?.text,
                )
            }
            DidCloseTextDocument::METHOD => {
                let closed: lsp_types::DidCloseTextDocumentParams = read(notification.params)?;
                self.documents.remove(&closed.text_document.uri);
                Some(published(closed.text_document.uri, Vec::new()))
            }
            _ => None,
        }
    }

    /// Answers a request; one that the server does not know gets an error, as the protocol asks.
    pub fn answer(&self, request: Request) -> Message {
        let result = match request.method.as_str() {
            HoverRequest::METHOD => {
                read(request.params).map(|params| serde_json::to_value(self.hover(&params)))
            }
            CodeActionRequest::METHOD => {
                read(request.params).map(|params| serde_json::to_value(self.actions(&params)))
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

    fn update(&mut self, uri: Uri, text: String) -> Option<Message> {
        let path = uri.path().as_str().trim_start_matches('/').to_owned();
        let source = SourceFile::new(path, text.into_bytes());
        let outcome = translate(&source, &self.session);
        let open = Open { source, outcome };
        let diagnostics = answer::diagnostics(&open.source, &open.outcome);
        self.documents.insert(uri.clone(), open);
        Some(published(uri, diagnostics))
    }

    fn hover(&self, params: &lsp_types::HoverParams) -> Option<lsp_types::Hover> {
        let place = &params.text_document_position_params;
        let open = self.documents.get(&place.text_document.uri)?;
        answer::hover(&open.source, &open.outcome, &self.session, place.position)
    }

    fn actions(&self, params: &lsp_types::CodeActionParams) -> Vec<lsp_types::CodeActionOrCommand> {
        let uri = &params.text_document.uri;
        self.documents.get(uri).map_or_else(Vec::new, |open| {
            answer::actions(uri, &open.source, &open.outcome, params.range)
        })
    }
}

fn read<T: DeserializeOwned>(params: serde_json::Value) -> Option<T> {
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
