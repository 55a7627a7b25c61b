use std::io::{self, Write as _};
use std::path::Path;

use anyhow::Result;
use lsp_server::{ErrorCode, Message, Request, Response};
use serde_json::{Value, json};

use super::Exit;
use super::args::LspArgs;
use super::progress::Progress;
use super::settings::{Given, Settings};
use crate::config::CheckTable;
use crate::lsp::{Received, Server, read};
use crate::pipeline::{Naming, Plan, slashed, walk};

/// Speaks the language server protocol on standard input and output until the editor says goodbye.
pub(super) fn run(args: &LspArgs) -> Result<Exit> {
    let given = Given {
        settings: &args.settings,
        naming: None,
        check: CheckTable::default(),
    };
    let mut talk = Talk {
        server: server(Settings::new(Path::new("."), &given)?)?,
        state: State::New,
    };
    let mut input = io::stdin().lock();
    loop {
        match read(&mut input)? {
            Received::Message(Message::Notification(note)) if note.method == "exit" => break,
            Received::Message(message) => talk.take(message)?,
            Received::Unreadable(why) => send(&json!({
                "jsonrpc": "2.0",
                "id": Value::Null,
                "error": {"code": ErrorCode::ParseError as i32, "message": why},
            }))?,
            Received::End => break,
        }
    }
    Ok(Exit::Clean)
}

/// A server for lone files; with a compilation database for the tree of the current folder, which the database is about.
fn server(mut settings: Settings) -> Result<Server> {
    if settings.config.files.compile_commands.is_none() {
        return Ok(Server::new(settings.lone_session()?));
    }
    let (root, progress) = (Path::new("."), Progress::new());
    let mut walked = walk(root, &settings.filter(Vec::new()), &progress)?;
    settings.nest(&mut walked)?;
    let session = settings.session(
        &Plan::new(walked.entries, Naming::Keep).with_around(walked.around),
        &progress,
    )?;
    Ok(Server::new(session).of_tree(&slashed(&std::env::current_dir()?)))
}

/// How far the talk with an editor is.
#[derive(PartialEq)]
enum State {
    New,
    Open,
    ShutDown,
}

struct Talk {
    server: Server,
    state: State,
}

impl Talk {
    fn take(&mut self, message: Message) -> io::Result<()> {
        match message {
            Message::Request(request) => {
                let answer = self.answer(request);
                answer.write(&mut io::stdout().lock())
            }
            Message::Notification(note) if self.state == State::Open => self
                .server
                .notice(note)
                .map_or(Ok(()), |message| message.write(&mut io::stdout().lock())),
            Message::Notification(_) | Message::Response(_) => Ok(()),
        }
    }

    fn answer(&mut self, request: Request) -> Message {
        let refuse = |id, code: ErrorCode, why: &str| {
            Response::new_err(id, code as i32, why.to_owned()).into()
        };
        match (&self.state, request.method.as_str()) {
            (State::New, "initialize") => {
                self.state = State::Open;
                let client = request.params["capabilities"].clone();
                // An editor that says nothing readable of itself gets what every editor can do with.
                self.server
                    .introduce(&serde_json::from_value(client).unwrap_or_default());
                let result = json!({
                    "capabilities": Server::capabilities(),
                    "serverInfo": {"name": "cass-transpile", "version": env!("CARGO_PKG_VERSION")},
                });
                Response::new_ok(request.id, result).into()
            }
            (State::New, _) => refuse(
                request.id,
                ErrorCode::ServerNotInitialized,
                "`initialize` comes first",
            ),
            (State::Open, "shutdown") => {
                self.state = State::ShutDown;
                Response::new_ok(request.id, Value::Null).into()
            }
            (State::Open, _) => self.server.answer(request),
            (State::ShutDown, _) => refuse(
                request.id,
                ErrorCode::InvalidRequest,
                "only `exit` comes behind `shutdown`",
            ),
        }
    }
}

/// Sends what is no message of the protocol's own types.
fn send(value: &Value) -> io::Result<()> {
    let text = value.to_string();
    let mut out = io::stdout().lock();
    write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    out.flush()
}
