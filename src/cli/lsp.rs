use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Result;
use lsp_server::{ErrorCode, Message, Request, Response};
use lsp_types::notification::{DidSaveTextDocument, Notification as _};
use serde_json::{Value, json};

use super::args::LspArgs;
use super::part::tree_around;
use super::progress::Progress;
use super::settings::{Given, Settings};
use super::{Exit, input};
use crate::config::CheckTable;
use crate::engine::Session;
use crate::lsp::{Received, Server, read};
use crate::pipeline::{Naming, Plan, slashed, walk};

/// Speaks the language server protocol on standard input and output until the editor says goodbye.
pub(super) fn run(args: &LspArgs) -> Result<Exit> {
    let place = Place::new(args)?;
    let server = Server::new(place.session(args)?);
    let mut talk = Talk {
        server: match &place.tree {
            Some(root) => server.of_tree(&slashed(&root.canonicalize()?)),
            None => server,
        },
        state: State::New,
    };
    let mut input = io::stdin().lock();
    loop {
        match read(&mut input)? {
            Received::Message(Message::Notification(note)) if note.method == "exit" => break,
            Received::Message(message) => {
                let is_saved = is_save(&message) && talk.state == State::Open;
                talk.take(message)?;
                // A configuration that is being written may be none: the server goes on with what it knows.
                if let Some(session) = is_saved.then(|| place.renewed(args)).flatten() {
                    talk.renew(session)?;
                }
            }
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

/// Whether a file is on the disk as it is in the editor now: what it says to other files may be something else.
fn is_save(message: &Message) -> bool {
    matches!(message, Message::Notification(note) if note.method == DidSaveTextDocument::METHOD)
}

/// Where an editor works.
struct Place {
    /// The tree of the current folder: with a compilation database that folder, which the database is about.
    tree: Option<PathBuf>,
}

impl Place {
    fn new(args: &LspArgs) -> Result<Self> {
        let here = PathBuf::from(".");
        let settings = Settings::new(&here, &given(args))?;
        let tree = match settings.config.files.compile_commands {
            Some(_) => Some(here),
            None => tree_around(&here.canonicalize()?).map(input::named_from_here),
        };
        Ok(Self { tree })
    }

    /// A session over the tree as it is now, where there is a tree and it can be read.
    fn renewed(&self, args: &LspArgs) -> Option<Session> {
        self.tree.as_ref()?;
        self.session(args).ok()
    }

    /// A session over the files of the tree as they are on the disk; without one, for lone files.
    fn session(&self, args: &LspArgs) -> Result<Session> {
        let root = self.tree.as_deref();
        let mut settings = Settings::new(root.unwrap_or(Path::new(".")), &given(args))?;
        let Some(root) = root else {
            return settings.lone_session();
        };
        let progress = Progress::new();
        let mut walked = walk(root, &settings.filter(Vec::new()), &progress)?;
        settings.nest(&mut walked)?;
        let plan = Plan::new(walked.entries, Naming::Keep).with_around(walked.around);
        settings.session(&plan, &progress)
    }
}

fn given(args: &LspArgs) -> Given<'_> {
    Given {
        settings: &args.settings,
        naming: None,
        check: CheckTable::default(),
    }
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
    /// Goes on with another session, and says what it makes of the open documents.
    fn renew(&mut self, session: Session) -> io::Result<()> {
        let messages = self.server.renew(session);
        let mut out = io::stdout().lock();
        messages.into_iter().try_for_each(|it| it.write(&mut out))
    }

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
