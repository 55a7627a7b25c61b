//! The command line as its help shows it: a command's own options, and where those stand that all have in common.

use clap::{Command, CommandFactory as _};

use super::args::Cli;
use crate::rules;

/// Headings of what every command takes that reads sources.
const COMMON: &[&str] = &["Translation", "Files", "Rules and configuration"];

const WHERE: &str = "Options of the translation, of files and of rules hold here as well; `cass-transpile --help` lists them.";

/// The program, in whose commands common options are known and not listed. Completions and manual pages list all.
pub(super) fn program() -> Command {
    let command = Cli::command().mut_subcommands(brief);
    let examples = command.get_after_help().cloned().unwrap_or_default();
    command.after_help(format!("{examples}\n\n{}", guides()))
}

/// Where the guides are.
fn guides() -> String {
    let place = match rules::site() {
        Some(site) => site.to_owned(),
        None => "the folder docs/howto of the sources".to_owned(),
    };
    format!("Guides: {place}; `cass-transpile explain CODE` and `query NAME` answer without them.")
}

fn brief(command: Command) -> Command {
    let is_common = |arg: &clap::Arg| {
        arg.get_help_heading()
            .is_some_and(|it| COMMON.contains(&it))
    };
    let command = command.mut_subcommands(brief);
    if !command.get_arguments().any(is_common) {
        return command;
    }
    let with_where = |examples: &clap::builder::StyledStr| format!("{WHERE}\n\n{examples}");
    let below = command.get_after_help().map(with_where);
    let below = below.unwrap_or_else(|| WHERE.to_owned());
    let long = command.get_after_long_help().map(with_where);
    let brief = |arg: clap::Arg| match is_common(&arg) {
        true => arg.hide(true),
        false => arg,
    };
    let command = command.mut_args(brief).after_help(below);
    match long {
        Some(long) => command.after_long_help(long),
        None => command,
    }
}
