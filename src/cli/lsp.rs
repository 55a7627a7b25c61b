use std::path::Path;

use anyhow::Result;
use lsp_server::{Connection, Message};

use super::Exit;
use super::args::LspArgs;
use super::settings::{Given, Settings};
use crate::config::CheckTable;
use crate::lsp::Server;

/// Speaks the language server protocol on standard input and output until the editor says goodbye.
pub(super) fn run(args: &LspArgs) -> Result<Exit> {
    let given = Given {
        settings: &args.settings,
        naming: None,
        check: CheckTable::default(),
    };
    let session = Settings::new(Path::new("."), &given)?.lone_session()?;
    let (connection, threads) = Connection::stdio();
    connection.initialize(serde_json::to_value(Server::capabilities())?)?;
    let mut server = Server::new(session);
    for message in &connection.receiver {
        match message {
            Message::Request(request) if connection.handle_shutdown(&request)? => break,
            Message::Request(request) => connection.sender.send(server.answer(request))?,
            Message::Notification(notification) => server
                .notice(notification)
                .map_or(Ok(()), |message| connection.sender.send(message))?,
            Message::Response(_) => {}
        }
    }
    drop(connection);
    threads.join()?;
    Ok(Exit::Clean)
}
