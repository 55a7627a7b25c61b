//! What was meant by a word that is no file: a command, most likely.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Result, bail};
use clap::CommandFactory as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};

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
    match meant(word) {
        Some(meant) => bail!(
            "there is no file, folder or command `{word}`; did you mean `cass-transpile {meant}`?"
        ),
        None => Ok(()),
    }
}

/// The command, or the option that does its work, with a name like this word; `None` where the word is a command. One with an option
/// that it lacks is not misspelt.
fn meant(word: &str) -> Option<String> {
    let program = Cli::command();
    if program.find_subcommand(word).is_some() {
        return None;
    }
    let commands = program.get_subcommands();
    let names = commands.flat_map(|command| {
        std::iter::once(command.get_name()).chain(command.get_visible_aliases())
    });
    let meant = match word {
        "version" => Some("--version"),
        "fix" => Some("--in-place"),
        _ => nearest(word, names),
    };
    meant.map(str::to_owned)
}

/// What `help chek` asks about.
fn help_meant(arguments: &[OsString]) -> Option<String> {
    let word = arguments.get(2)?.to_str()?;
    let meant = meant(word).filter(|_| arguments[1] == "help")?;
    let page = match meant.starts_with('-') {
        true => meant,
        false => format!("help {meant}"),
    };
    Some(format!(
        "there is no command `{word}`; did you mean `cass-transpile {page}`?"
    ))
}

/// Options of other tools, and what does their work here.
const ELSEWHERE: &[(&str, &str)] = &[
    (
        "--diff",
        "`cass-transpile diff PATH` shows the translation as a patch",
    ),
    (
        "--output-file",
        "`--report FORMAT=FILE` writes the report to a file",
    ),
    (
        "--staged",
        "`check --changed` looks at what is not committed, staged or not",
    ),
    (
        "--json",
        "`--output-format json` prints JSON, with every command that prints any",
    ),
];

/// What does the work of an option that this program calls otherwise.
fn elsewhere(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let name = given.split('=').next()?;
    let (_, instead) = ELSEWHERE.iter().find(|(option, _)| *option == name)?;
    Some(format!("there is no `{name}`: {instead}"))
}

/// What is meant by a severity at which nothing fails.
fn never_fails(error: &clap::Error) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let is_meant = text(ContextKind::InvalidArg)?.starts_with("--fail-on")
        && ["never", "none", "off"].contains(&text(ContextKind::InvalidValue)?);
    is_meant.then(|| {
        "--fail-on takes info, warning or error; `--exit-zero` exits with 0 whatever is found"
            .to_owned()
    })
}

/// An error of clap, or in its place what a misspelt command makes of the options behind it: `chekc --fail-on error`.
pub(super) fn in_place_of(error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let first = arguments.get(1).map(Path::new);
    match first.filter(|path| !path.exists()).map(command) {
        Some(Err(meant)) if error.kind() == ErrorKind::UnknownArgument => {
            Cli::command().error(ErrorKind::InvalidSubcommand, meant)
        }
        _ if error.kind() == ErrorKind::InvalidSubcommand => match help_meant(arguments) {
            Some(meant) => Cli::command().error(ErrorKind::InvalidSubcommand, meant),
            None => error,
        },
        _ if error.kind() == ErrorKind::UnknownArgument => match elsewhere(&error) {
            Some(instead) => Cli::command().error(ErrorKind::UnknownArgument, instead),
            None => error,
        },
        _ if error.kind() == ErrorKind::InvalidValue => match never_fails(&error) {
            Some(instead) => Cli::command().error(ErrorKind::InvalidValue, instead),
            None => error,
        },
        _ => error,
    }
}

fn is_word(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.chars().all(|c| c.is_ascii_alphabetic() || c == '-')
}
