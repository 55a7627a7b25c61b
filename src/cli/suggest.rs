//! What was meant by a word that is no file: a command, most likely.

use std::path::Path;

use anyhow::{Result, bail};
use clap::CommandFactory as _;

use super::args::Cli;
use crate::text::nearest;

/// Refuses a source that does not exist and reads like a command.
///
/// # Errors
/// When a command has a similar name.
pub(super) fn command(source: &Path) -> Result<()> {
    let Some(word) = source.to_str().filter(|word| is_word(word)) else {
        return Ok(());
    };
    let program = Cli::command();
    let commands = program.get_subcommands();
    let names = commands.flat_map(|command| {
        std::iter::once(command.get_name()).chain(command.get_visible_aliases())
    });
    let meant = match word {
        "version" => Some("--version"),
        "fix" => Some("--in-place"),
        _ => nearest(word, names),
    };
    match meant {
        Some(meant) => bail!(
            "there is no file, folder or command `{word}`; did you mean `cass-transpile {meant}`?"
        ),
        None => Ok(()),
    }
}

fn is_word(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic() || c == '-')
}
