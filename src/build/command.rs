//! The commands of a CMake list: where each begins and ends.

use crate::syntax::{Lexed, TokenIndex};

/// A command of CMake, or whatever else looks like `name(…)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Command {
    /// Its name.
    pub name: TokenIndex,
    /// Its `(`.
    pub open: TokenIndex,
    /// Its `)`, or the end of the file.
    pub close: TokenIndex,
}

/// The commands of a CMake list, in order: whatever looks like `name(…)`.
pub(super) fn commands(file: &Lexed<'_>) -> Vec<Command> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < file.tokens.len() {
        if !(file.is_ident(at) && file.is(at + 1, "(")) {
            at += 1;
            continue;
        }
        let close = closing_bracket(file, at + 1);
        found.push(Command {
            name: at,
            open: at + 1,
            close,
        });
        at = close;
    }
    found
}

/// The command among whose arguments a token stands, of all in their order: commands do not nest.
pub(crate) fn command_around(all: &[Command], index: TokenIndex) -> Option<&Command> {
    let at = all.partition_point(|command| command.close <= index);
    all.get(at).filter(|command| command.open < index)
}

/// Whether a command has a name; CMake does not care for case.
pub(crate) fn is_called(file: &Lexed<'_>, command: &Command, name: &str) -> bool {
    file.bytes(command.name)
        .eq_ignore_ascii_case(name.as_bytes())
}

fn closing_bracket(file: &Lexed<'_>, open: TokenIndex) -> TokenIndex {
    let (mut depth, mut in_quotes) = (0_usize, false);
    for at in open..file.tokens.len() {
        match file.bytes(at) {
            b"\"" => in_quotes = !in_quotes,
            b"(" if !in_quotes => depth += 1,
            b")" if !in_quotes => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    file.tokens.len()
}
